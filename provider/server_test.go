// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// planResponse is a readable form of a plan response. It omits the progress of a
// job that the plan ends, because the plugin framework cannot record this
// progress.
type planResponse struct {
	State, Diagnostics string
	Replace            []string
	Private            privateState
	Identity           string
}

func (i *instance) planResponse(resp *tfprotov6.PlanResourceChangeResponse, err error) planResponse {
	i.tf.t.Helper()
	if err != nil {
		i.tf.t.Fatal(err)
	}
	a := planResponse{State: i.decode(resp.PlannedState).String(), Diagnostics: diagnosticsText(resp.Diagnostics), Private: decodePrivate(resp.PlannedPrivate)}
	a.Private.set(decodeJobPrivate(resp.PlannedPrivate).withoutPlan())
	for _, p := range resp.RequiresReplace {
		a.Replace = append(a.Replace, p.String())
	}
	return a
}

// set stores m under jobPrivateKey. If m is empty, set deletes the key.
func (p privateState) set(m jobPrivate) {
	delete(p, jobPrivateKey)
	if m != (jobPrivate{}) {
		p[jobPrivateKey] = m.marshal()
	}
}

func TestAJobIsPlannedAsByThePluginFramework(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i, config := running(t, dir)
	changed := func(more ...tree) tree { return job([]string{"sleep 1000"}, append([]tree{config}, more...)...) }
	tests := map[string]struct {
		prior  tftypes.Value
		config tree
	}{
		"a new job":                       {i.null(), job([]string{"true"}, tree{"name": "other"})},
		"a new job with an unknown value": {i.null(), job([]string{"true"}, tree{"name": "other", "environment": tree{"A": unknown{}}})},
		"a new job without a known name":  {i.null(), job([]string{"true"}, tree{"name": unknown{}})},
		"a new job with secrets":          {i.null(), job([]string{"echo <% $secrets.a %>"}, tree{"name": "other", "secrets_wo": tree{"a": "x"}})},
		"mistakes at two places":          {i.null(), worker(job([]string{"<% $secrets.a %>"}, tree{"wait_for": "never"}), tree{"instances": 0})},
		"no change":                       {i.state, config},
		"a change in place":               {i.state, changed(tree{"description": "again"})},
		"a change that replaces":          {i.state, changed(tree{"environment": tree{"A": "1"}})},
		"another name":                    {i.state, changed(tree{"name": "other"})},
		"the end":                         {i.state, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := i.tf.server.(*server)
			req := func() *tfprotov6.PlanResourceChangeRequest {
				config, proposed := i.null(), i.null()
				if tt.config != nil {
					config = i.tf.value(tt.config, i.typ)
					proposed = i.proposed(config, tt.prior)
				}
				r := &tfprotov6.PlanResourceChangeRequest{
					TypeName: i.name, PriorState: i.tf.encode(tt.prior), ProposedNewState: i.tf.encode(proposed), Config: i.tf.encode(config),
				}
				if !tt.prior.IsNull() {
					r.PriorPrivate, r.PriorIdentity = i.private, i.identity
				}
				return r
			}
			i.tf.configure(i.tf.block)
			want := i.planResponse(s.frameworkServer.PlanResourceChange(t.Context(), req()))
			i.tf.configure(i.tf.block)
			got := i.planResponse(s.planJob(t.Context(), req()))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-framework +served)\n%s", diff)
			}
		})
	}
}

func TestAJobIsAppliedAsByThePluginFramework(t *testing.T) {
	t.Parallel()
	tests := map[string]tree{
		"a job that ends":  job([]string{"true"}, tree{"wait_for": "completed", "stop_grace": "1s"}),
		"a job that fails": job([]string{"exit 3"}, tree{"wait_for": "completed"}),
		"an invalid job":   worker(job([]string{"true"}), tree{"instances": 0}),
	}
	for name, config := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			served, framework := start(t, t.TempDir()).resource("openpai_job"), start(t, t.TempDir()).resource("openpai_job")
			want := framework.applied(config, framework.tf.server.(*server).frameworkServer, nil)
			got := served.applied(config, served.tf.server, nil)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-framework +served)\n%s", diff)
			}
		})
	}
}

func TestAJobIsChangedAsByThePluginFramework(t *testing.T) {
	t.Parallel()
	running := func(more ...tree) tree {
		return job([]string{"sleep 1000"}, append(more, tree{"wait_for": "running", "stop_grace": "1s", "gang_allocation": false})...)
	}
	finished := func(command string, more ...tree) tree {
		return job([]string{command}, append(more, tree{"wait_for": "completed"})...)
	}
	secret := tree{"secrets_wo": tree{"a": canary}, "environment": tree{"A": "<% $secrets.a %>"}}
	tests := map[string]struct {
		before, after tree
		meanwhile     func(i *instance) // between plan and apply
		want          string            // of the apply
	}{
		"another description":                      {finished("true"), finished("true", tree{"description": "again"}), nil, ""},
		"more tasks of a running job":              {running(), worker(running(), tree{"instances": 2}), nil, ""},
		"another command of a job that has ended":  {finished("true"), finished("false"), nil, ""},
		"a job that has failed":                    {finished("exit 3"), finished("exit 3", tree{"description": "again"}), nil, ""},
		"a secret for a job that has ended":        {finished("true"), finished("true", secret), nil, ""},
		"another wait_for, which sends no request": {finished("true"), finished("true", tree{"wait_for": "accepted"}), nil, ""},
		"a job that was deleted in the meantime":   {running(), worker(running(), tree{"instances": 2}), func(i *instance) { remove(i.tf.t, i.tf.dir) }, ""},
		"a job that was replaced in the meantime": {running(), worker(running(), tree{"instances": 2}), func(i *instance) {
			i.afresh(i.tf.dir).apply(running(tree{"environment": tree{"A": "1"}}))
		}, "would have to be replaced now"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			changed := func(served bool) planResponse {
				dir := t.TempDir()
				i := start(t, dir).resource("openpai_job")
				i.apply(clone(tt.before))
				by := i.tf.server
				if !served {
					by = by.(*server).frameworkServer
				}
				return i.applied(clone(tt.after), by, tt.meanwhile)
			}
			want, got := changed(false), changed(true)
			if tt.want == "" && strings.Contains(got.Diagnostics, "error: ") || !strings.Contains(got.Diagnostics, tt.want) {
				t.Errorf("no %q in %q", tt.want, got.Diagnostics)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-framework +served)\n%s", diff)
			}
		})
	}
}

// applied plans and applies with the same server. It calls meanwhile, if not
// nil, between plan and apply.
func (i *instance) applied(config tree, by tfprotov6.ProviderServer, meanwhile func(*instance)) planResponse {
	i.tf.t.Helper()
	value := i.tf.value(config, i.typ)
	plan, err := by.PlanResourceChange(i.tf.t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: i.name, PriorState: i.tf.encode(i.state), ProposedNewState: i.tf.encode(i.proposed(value, i.state)), Config: i.tf.encode(value),
		PriorPrivate: i.private, PriorIdentity: i.identity,
	})
	if err != nil {
		i.tf.t.Fatal(err)
	}
	if meanwhile != nil {
		meanwhile(i)
		i.tf.configure(tree{"local": tree{"directory": i.tf.dir, "user": "alice"}}) // another process applies the plan
	}
	resp, err := by.ApplyResourceChange(i.tf.t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: i.name, PriorState: i.tf.encode(i.state), PlannedState: plan.PlannedState, Config: i.tf.encode(value),
		PlannedPrivate: plan.PlannedPrivate, PlannedIdentity: plan.PlannedIdentity,
	})
	if err != nil {
		i.tf.t.Fatal(err)
	}
	state := i.decode(resp.NewState).String()
	// A job can be running before its tasks start.
	state = strings.Replace(state, `tftypes.String<"WAITING">`, `tftypes.String<"RUNNING">`, 1)
	a := planResponse{State: state, Diagnostics: diagnosticsText(resp.Diagnostics), Private: decodePrivate(resp.Private)}
	m := decodeJobPrivate(resp.Private)
	m.UID = "" // each server created its own Framework
	if m.Outputs == string(planner.StateWaiting) {
		m.Outputs = string(planner.StateRunning)
	}
	if m.Framework == "" { // nothing was applied
		m = m.withoutPlan()
	}
	a.Private.set(m)
	if !i.decode(resp.NewState).IsNull() {
		identity, err := resp.NewIdentity.IdentityData.Unmarshal(i.tf.server.(*server).provider.conn.jobIdentity("", "").Type())
		if err != nil {
			i.tf.t.Fatal(err)
		}
		a.Identity = identity.String()
	}
	return a
}

// These schema features require the plugin framework, but the server plans jobs
// without it.
func TestTheSchemaOfJobsAsksForNothingThatIsNotServed(t *testing.T) {
	var walk func(at string, attributes map[string]schema.Attribute)
	walk = func(at string, attributes map[string]schema.Attribute) {
		for name, a := range attributes {
			v := reflect.ValueOf(a)
			for _, field := range []string{"PlanModifiers", "Default", "CustomType"} {
				if f := v.FieldByName(field); f.IsValid() && !f.IsZero() {
					t.Errorf("%s%s has a %s", at, name, field)
				}
			}
			if a.IsComputed() != (at == "" && jobComputed[name] != nil) {
				t.Errorf("%s%s is computed, but not in jobComputed", at, name)
			}
			if a.IsWriteOnly() != (at == "" && name == "secrets_wo") {
				t.Errorf("%s%s is write-only", at, name)
			}
			switch a := a.(type) {
			case schema.SingleNestedAttribute:
				walk(at+name+".", a.Attributes)
			case schema.ListNestedAttribute:
				walk(at+name+".", a.NestedObject.Attributes)
			case schema.MapNestedAttribute:
				walk(at+name+".", a.NestedObject.Attributes)
			}
		}
	}
	walk("", schemaOfJob().Attributes)
}

func TestAPlanOfAnotherProviderBlockIsMade(t *testing.T) {
	t.Parallel()
	remembered := &settings{Cluster: &hclspec.Cluster{MaxRunTime: hclspec.Duration(time.Hour)}}
	private := encodeJobPrivate(nil, jobPrivate{Applied: "h1", Seen: "h1", Cluster: remembered.fingerprint()})
	state := &tfprotov6.DynamicValue{MsgPack: []byte("state")}
	for name, c := range map[string]struct {
		settings *settings
		want     bool
	}{
		"the same":                      {remembered, true},
		"another namespace":             {&settings{Cluster: &hclspec.Cluster{MaxRunTime: hclspec.Duration(time.Hour), Namespace: "n"}}, true},
		"another default":               {&settings{Cluster: &hclspec.Cluster{MaxRunTime: hclspec.Duration(time.Minute)}}, false},
		"no default":                    {&settings{Cluster: &hclspec.Cluster{}}, false},
		"another scheduler":             {&settings{Cluster: &hclspec.Cluster{MaxRunTime: hclspec.Duration(time.Hour), Scheduler: "hived"}}, false},
		"units that the default lacked": {&settings{Cluster: &hclspec.Cluster{MaxRunTime: hclspec.Duration(time.Hour), SKUs: []*hclspec.SKU{{Name: "K80"}}}}, false},
		"no cluster":                    {&settings{}, false},
		"an unknown provider block":     {&settings{Cluster: &hclspec.Cluster{}, Unknown: true}, true},
	} {
		req := &tfprotov6.PlanResourceChangeRequest{PriorState: state, ProposedNewState: state, PriorPrivate: private}
		if got := newConnection(c.settings, nil, nil).unchangedPlan(req); got != c.want {
			t.Errorf("%s: settled is %v", name, got)
		}
	}
}
