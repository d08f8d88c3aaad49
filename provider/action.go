// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// providerAction implements a provider action.
type providerAction struct {
	name   string
	schema schema.Schema
	invoke func(ctx context.Context, call *invocation)
	conn   *connection
}

// invocation is a single invocation of an action.
type invocation struct {
	conn     *connection
	config   map[string]tftypes.Value
	diags    *diag.Diagnostics
	progress func(format string, args ...any)
}

var _ action.ActionWithConfigure = (*providerAction)(nil)

func actions() []func() action.Action {
	var all []func() action.Action
	for _, d := range []providerAction{jobStop, jobRerun, jobRescale, storagePrefetch} {
		all = append(all, func() action.Action {
			fresh := d
			return &fresh
		})
	}
	return all
}

// Configure implements action.ActionWithConfigure.
func (d *providerAction) Configure(_ context.Context, req action.ConfigureRequest, _ *action.ConfigureResponse) {
	d.conn, _ = req.ProviderData.(*connection)
}

// Metadata implements action.Action.
func (d *providerAction) Metadata(_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + d.name
}

// Schema implements action.Action.
func (d *providerAction) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	resp.Schema = d.schema
}

// Invoke implements action.Action.
func (d *providerAction) Invoke(ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse) {
	d.invoke(ctx, &invocation{
		conn: d.conn, config: attributesOf(req.Config.Raw), diags: &resp.Diagnostics,
		progress: func(format string, args ...any) {
			resp.SendProgress(action.InvokeProgressEvent{Message: fmt.Sprintf(format, args...)})
		},
	})
}

func nameAttribute() schema.StringAttribute {
	return schema.StringAttribute{Required: true, MarkdownDescription: "Name of the job, or `<user>~<name>` for a job of another user."}
}

// job returns the job of the action, or nil after an error.
func (c *invocation) job(ctx context.Context) (live *planner.LiveJob, name string) {
	user, name := splitID(stringOr(c.config["name"], ""), c.conn.User)
	live, err := c.conn.reread(ctx, contract.FrameworkName(user, name))
	switch {
	case err != nil:
		c.fail("read", name, err)
		return nil, name
	case live == nil:
		c.diags.AddAttributeError(path.Root("name"), NoSuchJob.Summary, fmt.Sprintf("The user %q has no job %q on this cluster.", user, name))
	}
	return live, name
}

func (c *invocation) fail(what, name string, err error) {
	c.diags.AddError("The action failed", fmt.Sprintf("%s job %s: %s", what, name, errorText(err)))
}
