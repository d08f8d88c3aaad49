// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// usedElsewhere maps the table path of each field that does not affect
// rendered objects to the reason.
var usedElsewhere = map[string]string{
	"openpai.required_version":                    "internal/workspace checks it while it loads the files",
	"openpai.run_records":                         "internal/operation writes records of runs to it",
	"openpai.history_limit":                       "internal/operation removes old records beyond it",
	"variable.type":                               "only hclspec/syntax uses it",
	"variable.default":                            "only hclspec/syntax uses it",
	"variable.description":                        "for people",
	"variable.sensitive":                          "only hclspec/syntax uses it",
	"moved.from":                                  "planner.Options.Moved",
	"moved.to":                                    "planner.Options.Moved",
	"cluster.sku.price_per_hour":                  "planner adds up prices with it",
	"prerequisite.fetch.size_mb":                  "planner adds up downloads with it",
	"policy.for_each":                             "planner/policy uses it",
	"policy.level":                                "planner/policy uses it",
	"policy.field":                                "planner/policy uses it",
	"protocol.file":                               "internal/workspace loads the file as a job",
	"protocol.cluster":                            "internal/workspace sets it as the cluster of that job",
	"marketplace.source":                          "internal/workspace looks up items in it",
	"marketplace.token":                           "internal/workspace looks up items with it",
	"marketplace.kubernetes.cluster":              "internal/kubernetes reads items from it",
	"marketplace.kubernetes.namespace":            "internal/kubernetes reads items from it",
	"cluster.kubeconfig":                          "internal/kubernetes connects with it",
	"cluster.context":                             "internal/kubernetes connects with it",
	"secret.env":                                  "internal/workspace reads the value from it at apply",
	"secret.file":                                 "internal/workspace reads the value from it at apply",
	"secret.value":                                "no artifact contains the value of a secret",
	"secret.kubernetes.name":                      "planner compares it as a part of the version",
	"secret.kubernetes.key":                       "planner compares it as a part of the version",
	"storage.users":                               "planner/resolve rejects the jobs of other users",
	"job.default_storages":                        "only an OpenPAI server can look them up; planner/resolve warns",
	"storage.groups":                              "planner compares them with the groups of the user",
	"job.contributor":                             "for people",
	"job.version":                                 "for people",
	"job.extras":                                  "kept for the protocol",
	"job.notification.running":                    "kept for the protocol",
	"job.notification.succeeded":                  "kept for the protocol",
	"job.notification.stopped":                    "kept for the protocol",
	"job.notification.failed":                     "kept for the protocol",
	"job.notification.retried":                    "kept for the protocol",
	"job.rerun":                                   "planner uses it to decide whether a finished job runs again",
	"job.prevent_destroy":                         "planner rejects deletions with it",
	"prerequisite.auth.username":                  "apply writes it to a Secret",
	"prerequisite.auth.password":                  "apply writes it to a Secret",
	"secret.version":                              "planner compares it",
	"job.defaults":                                "kept for the protocol",
	"job.submit_from":                             "kept for the protocol",
	"job.deployment.rest":                         "kept for the protocol",
	"job.hived.task_role.sku_num":                 "OpenPAI computes the number from the resources",
	"prerequisite.usage":                          "for people, in a marketplace",
	"prerequisite.tags":                           "internal/marketplace searches them",
	"prerequisite.visibility":                     "internal/marketplace publishes with it",
	"prerequisite.template_variables.description": "for people",
	"prerequisite.template_variables.pattern":     "planner/resolve checks values with it",
}

// others maps each field that accepts only certain values to a different valid
// value.
var others = map[string]any{
	"cluster.log_storage":                 "host",
	"cluster.sku.gpu":                     1,
	"cluster.sku.cpu":                     1,
	"cluster.sku.memory":                  1024,
	"cluster.virtual_cluster.quota":       map[string]int{"K80": 1000, "V100": 1000},
	"marketplace.kubernetes.cluster":      "other",
	"prerequisite.plugin":                 "git",
	"prerequisite.callback.timeout":       "7s",
	"prerequisite.require":                []hclspec.Reference{{Target: "second_output"}},
	"storage.users":                       []string{"alice"},
	"job.cluster":                         "other",
	"job.virtual_cluster":                 "second",
	"job.default_deployment":              "test",
	"job.hived.task_role.sku_type":        "K80",
	"job.task_role.data":                  hclspec.Reference{Target: "second_data"},
	"job.task_role.script":                hclspec.Reference{Target: "second_script"},
	"job.parameters":                      map[string]any{"lr": "2"},
	"job.plugin.parameters":               map[string]any{"jobssh": true, "sshbarrier": true},
	"job.task_role.resources.fixed_ports": map[string]int{"http": 8080},
	"job.task_role.output":                hclspec.Reference{Target: "second_output"},
}

// TestEveryFieldIsUsed checks that a changed value of each field changes a
// rendered object. If later stages dropped a field, a plan would not report its
// changes.
func TestEveryFieldIsUsed(t *testing.T) {
	t.Parallel()
	ws := everyBlock(t)
	before, diags := outcome(ws)
	for _, d := range diags.Errs() {
		t.Error(d)
	}
	m := mutation{t: t, ws: ws, before: before, used: map[string]bool{}, invalid: map[string]hcl.Diagnostics{}}
	m.observe = m.renders
	m.everything()
	m.missing()
}

// everyBlock returns all blocks, including blocks that exist only in the
// protocol.
func everyBlock(t *testing.T) *hclspec.Workspace {
	t.Helper()
	const file = "testdata/every_block.pai.hcl"
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ws, diags := syntax.Decode(syntax.Input{Files: map[string][]byte{file: src}, Values: []syntax.Value{{Name: "unused"}}})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	job := ws.Jobs[0]
	job.Secrets = []*hclspec.Secret{{Name: "own", Value: hclspec.NewSensitive("value")}}
	job.ReferencePrerequisites = []*hclspec.Prerequisite{{Type: "data", Name: "reference"}}
	return ws
}

func outcome(ws *hclspec.Workspace) (string, hcl.Diagnostics) {
	diags := hclspec.Validate(ws)
	jobs, found := resolve.All(resolve.Input{Workspace: ws, User: "alice"})
	diags = append(diags, found...)
	var all []any
	for _, job := range jobs {
		target := render.ClusterTarget(ws, job.Cluster)
		target.Submitted, target.Workspace = time.Unix(0, 0), nil // the protocol text contains every field
		manifest, found := render.Objects(job, target)
		diags = append(diags, found...)
		if manifest != nil {
			for _, m := range manifest.ConfigMaps {
				delete(m.Data, render.ResolvedJobKey) // this record contains all fields
			}
		}
		target.Sources, target.LogStorage = nil, nil
		all = append(all, target, manifest)
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err)
	}
	return string(text), diags
}

// mutation changes the fields of a workspace in place. It restores each field
// before it changes the next one.
type mutation struct {
	t      *testing.T
	ws     *hclspec.Workspace
	before string
	// used contains the table fields whose changes affected the output.
	used map[string]bool
	// invalid maps the path of a field to the diagnostics for its changed
	// value.
	invalid map[string]hcl.Diagnostics
	// observe reports whether the current change to the workspace changes the
	// output.
	observe func(f *hclspec.Field, path string) bool
}

func (m *mutation) everything() {
	ws := m.ws
	for _, root := range []struct {
		block    *hclspec.Block
		elements any
	}{
		{hclspec.OpenPAIBlock, []*hclspec.Workspace{ws}},
		{hclspec.VariableBlock, ws.Variables},
		{hclspec.MovedBlock, ws.Moved},
		{hclspec.SecretBlock, ws.Secrets},
		{hclspec.MarketplaceBlock, ws.Marketplaces},
		{hclspec.ClusterBlock, ws.Clusters},
		{hclspec.StorageBlock, ws.Storages},
		{hclspec.PrerequisiteBlock, ws.Prerequisites},
		{hclspec.ProtocolBlock, ws.Protocols},
		{hclspec.PolicyBlock, ws.Policies},
		{hclspec.JobBlock, ws.Jobs},
	} {
		m.list(root.block, root.block.Name, reflect.ValueOf(root.elements))
	}
}

func (m *mutation) list(b *hclspec.Block, path string, elements reflect.Value) {
	for i := range elements.Len() {
		m.block(b, path, elements.Index(i).Elem())
	}
}

func (m *mutation) block(b *hclspec.Block, path string, v reflect.Value) {
	for i := range b.Fields {
		f := &b.Fields[i]
		if f.Go == "" || slices.Contains(b.Labels, f.Go) {
			continue
		}
		m.field(f, path+"."+f.Name, v.FieldByName(f.Go))
	}
}

func (m *mutation) field(f *hclspec.Field, path string, v reflect.Value) {
	if slices.Contains(hclspec.RootBlocks, f.Block) {
		path = f.Block.Name // a block has the same fields wherever it is used
	}
	switch f.Kind {
	case hclspec.Object:
		m.block(f.Block, path, v)
	case hclspec.OptionalObject:
		if !v.IsNil() {
			m.block(f.Block, path, v.Elem())
		}
	case hclspec.Objects:
		m.list(f.Block, path, v)
	default:
		m.used[path] = m.used[path] || m.shows(f, path, v)
	}
}

// shows reports whether the output changes if the field has a different
// value.
func (m *mutation) shows(f *hclspec.Field, path string, v reflect.Value) bool {
	was := reflect.ValueOf(v.Interface())
	another, input := others[path]
	if !input {
		another = different(f, v)
	}
	value := reflect.ValueOf(another)
	if value.Kind() == reflect.String {
		value = value.Convert(v.Type())
	}
	v.Set(value)
	defer func() {
		if !was.IsValid() {
			was = reflect.Zero(v.Type())
		}
		v.Set(was)
	}()
	return m.observe(f, path)
}

// renders reports whether the objects differ from the unchanged workspace's
// objects.
func (m *mutation) renders(_ *hclspec.Field, path string) bool {
	after, diags := outcome(m.ws)
	if diags.HasErrors() {
		m.invalid[path] = diags
		return false
	}
	return after != m.before
}

func (m *mutation) missing() {
	for _, path := range slices.Sorted(maps.Keys(m.used)) {
		reason, listed := usedElsewhere[path]
		switch {
		case !m.used[path] && !listed && m.invalid[path] != nil:
			m.t.Errorf("%s accepts none of the tried values; add a valid value to others: %v", path, m.invalid[path])
		case !m.used[path] && !listed:
			m.t.Errorf("%s: another value changes nothing that planner/render returns. Use the field in planner/render or planner/resolve, or list it in usedElsewhere with the reason (see \"A new field\" in CONTRIBUTING.md).", path)
		case m.used[path] && listed:
			m.t.Errorf("%s changes the output, but usedElsewhere lists it with the reason %q", path, reason)
		}
	}
	for path := range usedElsewhere {
		if _, met := m.used[path]; !met {
			m.t.Errorf("usedElsewhere lists %s, which is not a field of the table or of any block in testdata/every_block.pai.hcl", path)
		}
	}
	for _, path := range tablePaths() {
		if _, met := m.used[path]; !met {
			m.t.Errorf("%s: testdata/every_block.pai.hcl contains no block with this field. Add the block.", path)
		}
	}
}

// tablePaths returns all fields in the table, except blocks.
func tablePaths() []string {
	var paths []string
	seen := map[*hclspec.Block]bool{}
	var visit func(*hclspec.Block, string)
	visit = func(b *hclspec.Block, path string) {
		for _, f := range b.Fields {
			at := path + "." + f.Name
			switch {
			case f.Go == "" || slices.Contains(b.Labels, f.Go) || slices.Contains(hclspec.RootBlocks, f.Block):
			case f.Block != nil:
				visit(f.Block, at)
			default:
				paths = append(paths, at)
			}
		}
	}
	for _, b := range append([]*hclspec.Block{hclspec.OpenPAIBlock, hclspec.VariableBlock, hclspec.MovedBlock}, hclspec.RootBlocks...) {
		if !seen[b] {
			seen[b] = true
			visit(b, b.Name)
		}
	}
	return paths
}
