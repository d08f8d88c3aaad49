// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// declaration is a job as declared in a configuration, plan or state.
type declaration struct {
	*shape.Decoder
	job       *hclspec.Job
	workspace *hclspec.Workspace
	// resolved is the resolved job, as far as it can be determined.
	resolved *resolve.Job
	// diagnostics are the diagnostics of all stages, except diagnostics about
	// unknown values.
	diagnostics hcl.Diagnostics
	// hash is the result of contentHash; it is empty until the first call.
	hash string
}

func (d *declaration) contentHash() string {
	if d.hash == "" {
		d.hash, _ = planner.Hashes(d.resolved)
	}
	return d.hash
}

// declareJob decodes a job. The parameter secrets contains the write-only
// values, or is the zero value.
func declareJob(s *settings, v, secrets tftypes.Value) *declaration {
	return declare(s, shape.NewDecoder(), v, secrets)
}

func declare(s *settings, decoder *shape.Decoder, v, secrets tftypes.Value) *declaration {
	values := attributesOf(v)
	d := &declaration{Decoder: decoder, job: &hclspec.Job{Syntax: hclspec.SyntaxTerraform}}
	d.job.Label = stringOr(values["name"], "unnamed")
	defs := newDefinitions(d.Decoder)
	at := hclspec.Path(d.job.Address())
	d.Decode(jobObject, v, d.job, at, path.Empty())
	d.job.Name = d.job.Label
	if s.Cluster != nil {
		d.job.Cluster = s.Cluster.Name
	}
	d.writeOnlySecrets(secrets, values["secrets_wo_version"], at)
	d.checkOrder(values, at)
	d.workspace = s.workspaceOf(d.Places.Sources)
	d.workspace.Prerequisites = defs.prerequisites
	d.workspace.Storages = append(d.workspace.Storages, defs.storages...)
	d.workspace.Jobs = []*hclspec.Job{d.job}
	d.resolve(s)
	return d
}

// resolve resolves the declaration. It does not validate the declaration if
// an unknown value can affect other values.
func (d *declaration) resolve(s *settings) {
	resolved, more := resolve.One(resolve.Input{Workspace: d.workspace, User: s.User}, d.job)
	d.resolved = resolved
	d.diagnostics = d.Diags
	if d.canValidate() {
		read := slices.Concat(d.Diags, hclspec.Validate(d.workspace))
		d.diagnostics = append(read, itemDiagnostics(resolve.Independent(resolve.WithoutPermissions(more), read))...)
	}
	d.diagnostics = withoutUndecided(d.diagnostics, d.Decoder)
}

// itemDiagnostics recommends a data source instead of `openpai init` for
// uninitialized items.
func itemDiagnostics(found hcl.Diagnostics) hcl.Diagnostics {
	for i, f := range found {
		if hclspec.Code(f) != hclspec.ItemsNotInitialized.Code {
			continue
		}
		var at hcl.Range
		if f.Subject != nil {
			at = *f.Subject
		}
		found[i] = ItemNeedsDataSource.At(at, "Terraform reads marketplace items with the data source openpai_marketplace_item. Declare this data source and use its definition here.")
	}
	return found
}

func (d *declaration) known() bool { return len(d.Unknown) == 0 }

// canValidate reports whether all unknown values are strings that do not
// affect other values.
func (d *declaration) canValidate() bool {
	for _, p := range d.Unknown {
		if !isOpaqueString(p) {
			return false
		}
	}
	return true
}

// isOpaqueString reports whether a field is a string that does not affect
// other values.
func isOpaqueString(p hclspec.Path) bool {
	for _, field := range []string{".commands[", ".pre_commands[", ".post_commands[", ".environment["} {
		if strings.Contains(string(p), field) {
			return true
		}
	}
	for _, field := range []string{".description", ".contributor", ".version"} {
		if strings.HasSuffix(string(p), field) {
			return true
		}
	}
	return false
}

// writeOnlySecrets adds the secrets in secrets_wo to the job.
func (d *declaration) writeOnlySecrets(v, version tftypes.Value, at hclspec.Path) {
	if v.Type() == nil || v.IsNull() {
		return
	}
	list := at.Attr("secrets_wo")
	d.Places.Put(list, path.Root("secrets_wo"))
	if !v.IsKnown() {
		d.Unknown = append(d.Unknown, list)
		return
	}
	for _, name := range sortedKeys(attributesOf(v)) {
		value := attributesOf(v)[name]
		secret := &hclspec.Secret{Name: name, Path: list.Key(name), Version: stringOr(version, "")}
		d.Places.Put(secret.Path, path.Root("secrets_wo").AtMapKey(name))
		if !value.IsKnown() {
			d.Unknown = append(d.Unknown, secret.Path)
		}
		secret.Value = hclspec.NewSensitive(stringOr(value, ""))
		d.job.Secrets = append(d.job.Secrets, secret)
	}
}

func (d *declaration) checkOrder(values map[string]tftypes.Value, at hclspec.Path) {
	order := values["task_role_order"]
	if order.IsNull() || !order.IsKnown() {
		return
	}
	var roles []string
	for _, r := range d.job.TaskRoles {
		roles = append(roles, r.Name)
	}
	var names []tftypes.Value
	if order.As(&names) != nil {
		return // the decoder has reported the wrong type
	}
	for i, n := range names {
		name := stringOr(n, "")
		if name == "" || d.job.TaskRole(name) != nil || d.isUnknown(at.Attr("task_role")) {
			continue
		}
		place := at.Attr("task_role_order").Index(i)
		d.Places.Put(place, path.Root("task_role_order").AtListIndex(i))
		d.Diags = append(d.Diags, UnknownTaskRoleInOrder.At(d.Places.Sources.Range(place),
			"task_role_order contains %q, which is not a task role of job %q.%s", name, d.job.Name, hclspec.Suggest(name, roles)))
	}
}

func (d *declaration) secretUnknown(s *hclspec.Secret) bool {
	return slices.ContainsFunc(d.Unknown, func(p hclspec.Path) bool {
		return p == s.Path || strings.HasPrefix(string(p), string(s.Path)+".")
	})
}

func (d *declaration) isUnknown(p hclspec.Path) bool {
	for _, u := range d.Unknown {
		if u == p {
			return true
		}
	}
	return false
}
