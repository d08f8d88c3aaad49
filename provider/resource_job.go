// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// jobResource implements openpai_job.
type jobResource struct{ conn *connection }

var (
	_ resource.ResourceWithConfigure       = (*jobResource)(nil)
	_ resource.ResourceWithValidateConfig  = (*jobResource)(nil)
	_ resource.ResourceWithModifyPlan      = (*jobResource)(nil)
	_ resource.ResourceWithImportState     = (*jobResource)(nil)
	_ resource.ResourceWithIdentity        = (*jobResource)(nil)
	_ resource.ResourceWithUpgradeIdentity = (*jobResource)(nil)
	_ resource.ResourceWithMoveState       = (*jobResource)(nil)
	_ resource.ResourceWithUpgradeState    = (*jobResource)(nil)
)

func newJobResource() resource.Resource { return &jobResource{} }

// Configure implements resource.ResourceWithConfigure.
func (r *jobResource) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.conn, _ = req.ProviderData.(*connection)
}

// Metadata implements resource.Resource.
func (r *jobResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_job"
}

// jobComputed are the computed attributes and their types.
var jobComputed = map[string]tftypes.Type{
	"id":                 tftypes.String,
	"framework_name":     tftypes.String,
	"content_hash":       tftypes.String,
	"state":              tftypes.String,
	"exit_code":          tftypes.Number,
	"prerequisite_order": tftypes.Map{ElementType: tftypes.List{ElementType: tftypes.String}},
	"secret_versions":    tftypes.Map{ElementType: tftypes.String},
	"drift":              tftypes.List{ElementType: tftypes.String},
	"outdated":           tftypes.Bool,
}

// Schema implements resource.Resource.
func (r *jobResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schemaOfJob()
}

// jobSchemaVersion is the version of the job schema. Increase it when states of
// the previous version can no longer be read.
const jobSchemaVersion = 3

func schemaOfJob() schema.Schema {
	attributes := jobObject.Schema()
	attributes["name"] = schema.StringAttribute{
		Required:            true,
		MarkdownDescription: "Name of the job on the cluster; unique per user. Changing the name replaces the job.",
	}
	maps.Copy(attributes, jobComputedSchema())
	maps.Copy(attributes, jobControlSchema())
	return schema.Schema{
		Version:             jobSchemaVersion,
		MarkdownDescription: "A job: task roles that start and end together. Creating the resource submits the job; destroying the resource ends the job. A finished job never runs again automatically; see `rerun`. A plan that would end a running job fails if the job's replacement cannot be created. For example, a secret value or a permission may be missing. The check also applies to `-replace`, `terraform taint` and `replace_triggered_by`. Terraform does not print warnings about a replacement that `-replace` or `replace_triggered_by` causes. To see in the plan whether the job is running, check its `state`. If a job was waiting during the plan but is running during apply, apply does not end the job. In this case, create a new plan. `terraform destroy` also plans the replacement first; `terraform destroy -refresh=false` does not." + referencesDoc,
		Attributes:          attributes,
	}
}

// referencesDoc documents the references that each attribute accepts. The
// accepted references differ, because no attribute type in task_roles accepts
// both strings and objects.
const referencesDoc = `

References in a task role to prerequisites and storages:

| place | reference | by id |
| --- | --- | --- |
| ` + "`image`, `data`, `script`, `output`" + ` | ` + "`openpai_prerequisite.x.definition`" + ` | ` + "`openpai_prerequisite.x.id`" + ` |
| ` + "`prerequisites`" + ` | ` + "`[openpai_prerequisite.x]` or `[{ use = openpai_prerequisite.x.definition }]`" + ` | ` + "`[{ use = openpai_prerequisite.x.id }]`" + ` |
| ` + "`storage`" + ` | ` + "`[openpai_storage.x]` or `[{ use = openpai_storage.x.definition }]`" + ` | ` + "`[{ use = openpai_storage.x.id }]`" + ` |

The first four attributes are strings; the other two are lists of objects. For example, ` + "`prerequisites = [openpai_prerequisite.x.definition]`" + ` fails during plan, because Terraform does not convert a string to an object. An ` + "`id`" + ` does not contain the declaration, so another reference in the job must contain the declaration. The job's own ` + "`prerequisites`" + ` accept strings and all forms in this table, also for storages. Write ` + "`prerequisites = [{ use = openpai_prerequisite.x.definition }]`" + ` there, and use ` + "`id`" + ` in all task roles. A plan then shows a changed declaration only once for each job. If you write strings in that list instead, the plan shows a changed string as removed and added.`

func jobComputedSchema() map[string]schema.Attribute {
	computed := func(doc string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: doc}
	}
	return map[string]schema.Attribute{
		"id":             computed("The name of the job in OpenPAI: `<user>~<name>`."),
		"framework_name": computed("`metadata.name` of the Framework: the MD5 hash of the id. Known during plan."),
		"content_hash":   computed("Hash of the applied content (first 12 digits). The content includes the prerequisites and every field that affects the tasks. Known during plan."),
		"state":          computed("Last known state of the job: `WAITING`, `RUNNING`, `STOPPING`, `SUCCEEDED`, `FAILED`, `STOPPED` or `UNKNOWN`."),
		"exit_code":      schema.Int64Attribute{Computed: true, MarkdownDescription: "Exit code of the user's commands, set when the job has finished. With `wait_for = \"completed\"`, apply sets the exit code; otherwise, the next refresh sets it."},
		"prerequisite_order": schema.MapAttribute{
			Computed: true, ElementType: types.ListType{ElemType: types.StringType},
			MarkdownDescription: "The prerequisites that each task role runs, in start order, including their requirements.",
		},
		"drift": schema.ListAttribute{
			Computed: true, ElementType: types.StringType,
			MarkdownDescription: "Changes that other programs made to the job on the cluster since the last apply. Apply reverts them.",
		},
		"outdated": schema.BoolAttribute{
			Computed: true, MarkdownDescription: "Whether the job has ended and its content differs from the current declaration. The job runs again with `rerun = \"on_change\"`, or with `-replace`.",
		},
		"secret_versions": schema.MapAttribute{
			Computed: true, ElementType: types.StringType,
			MarkdownDescription: "The version of each secret that the job uses: the configured version, or the first 12 digits of a keyed hash. The hash does not disclose the value.",
		},
	}
}

// Values of wait_for.
const (
	waitAccepted  = "accepted"
	waitRunning   = "running"
	waitCompleted = "completed"
)

func jobControlSchema() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"secrets_wo": schema.MapAttribute{
			Optional: true, WriteOnly: true, ElementType: types.StringType,
			MarkdownDescription: "Values for `<% $secrets.x %>` by name. The provider sends the values to the cluster; states and plans do not contain them. A changed value replaces the job; with `secrets_wo_version`, only a changed version replaces it.",
		},
		"secrets_wo_version": schema.StringAttribute{
			Optional: true, MarkdownDescription: "Version of the values in `secrets_wo`. Change the version when a value changes. Without a version, the provider compares keyed hashes of the values.",
		},
		"wait_for": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "State that apply waits for: `accepted` (default), `running` or `completed`. If the job fails during the wait, apply prints a warning and keeps the resource. To fail the run, check `state` in a postcondition. With `TF_LOG=INFO`, the log shows each change during the wait.",
		},
		"timeouts": schema.SingleNestedAttribute{
			Optional: true, MarkdownDescription: "Timeouts of operations, as durations such as `30m`.",
			Attributes: map[string]schema.Attribute{
				"create": schema.StringAttribute{Optional: true, MarkdownDescription: "Timeout for submitting the job, including the wait that `wait_for` requests. Defaults to `20m`, or to no limit for `completed`."},
				"update": schema.StringAttribute{Optional: true, MarkdownDescription: "Timeout for changes in place. Default: `20m`."},
				"delete": schema.StringAttribute{Optional: true, MarkdownDescription: "Timeout for ending all tasks. Default: `20m`."},
			},
		},
	}
}

// IdentitySchema implements resource.ResourceWithIdentity.
func (r *jobResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identitySchema(map[string]identityschema.Attribute{
		"user": identityschema.StringAttribute{OptionalForImport: true, Description: "User who owns the job; defaults to the user of the provider."},
		"name": identityschema.StringAttribute{RequiredForImport: true, Description: "Name of the job."},
	})
}

// UpgradeIdentity implements resource.ResourceWithUpgradeIdentity.
func (r *jobResource) UpgradeIdentity(context.Context) map[int64]resource.IdentityUpgrader {
	return identityUpgrades()
}

// ValidateConfig implements resource.ResourceWithValidateConfig. The cluster is
// unknown during validation, so only the plan reports warnings.
func (r *jobResource) ValidateConfig(_ context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse) {
	d := declareJob(&settings{User: "user", Workspace: "workspace"}, req.Config.Raw, attributesOf(req.Config.Raw)["secrets_wo"])
	report(&resp.Diagnostics, d.diagnostics, d.Places, errorsOnly)
	checkControl(req.Config.Raw, &resp.Diagnostics)
}
