// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// Read implements resource.Resource. Read keeps an ended job in the state, even if
// its Framework no longer exists. If a running job was deleted, Read removes the job
// from the state. The next apply then creates the job again. While the provider
// configuration is unknown, the state does not change.
func (r *jobResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	state := attributesOf(req.State.Raw)
	name, framework := stringOr(state["name"], ""), stringOr(state["framework_name"], "")
	user, _ := splitID(stringOr(state["id"], name), r.conn.User)
	r.conn.identify(ctx, resp.Identity, jobIdentity(user, name), &resp.Diagnostics)
	live, err := r.find(ctx, name, framework)
	if errors.Is(err, errUnknown) {
		r.conn.warnUnknown(&resp.Diagnostics)
		return
	}
	if err != nil {
		resp.Diagnostics.AddError("Cannot read the job", fmt.Sprintf("read job.%s: %s", name, errorText(err)))
		return
	}
	m := readJobPrivate(ctx, req.Private)
	if live == nil || live.Vanished() {
		if text := relocationWarning(m, r.conn.location(), planner.JobState(stringOr(state["state"], ""))); text != "" {
			resp.Diagnostics.AddWarning("A job remains in its former location", text)
		}
		resp.State.RemoveResource(ctx)
		return
	}
	if !r.mayRead(live, name, &resp.Diagnostics) {
		return
	}
	set := liveOutputs(live)
	set["outdated"] = boolValue(m.isOutdated(live) || isTrue(state["outdated"]) && m.isSame(live))
	if live.Hash != "" {
		set["content_hash"] = stringValue(shortHash(live.Hash))
	}
	resp.State.Raw = withAttributes(m.withLiveCounts(req.State.Raw, live), set)
	m.Name, m.Framework, m.Location = name, framework, r.conn.location()
	resp.Diagnostics.Append(writeJobPrivate(ctx, resp.Private, m.withLive(live))...)
}

// find returns the live job, or nil if the job is not on the cluster.
func (r *jobResource) find(ctx context.Context, name, framework string) (*planner.LiveJob, error) {
	if _, err := r.conn.Cluster(); err != nil {
		return nil, err
	}
	live, err := r.conn.live(ctx, hclspec.NewAddress("job", name), framework)
	if err != nil {
		return nil, err
	}
	for _, job := range live.Jobs {
		if job.Framework == framework {
			return job, nil
		}
	}
	return nil, nil
}

// mayRead reports an error for a job of another user or workspace.
func (r *jobResource) mayRead(live *planner.LiveJob, name string, diags *diag.Diagnostics) bool {
	if live.User != "" && live.User != r.conn.User {
		diags.AddError(hclspec.OtherUser.Summary, fmt.Sprintf("job.%s exists for the user %q, but this configuration is for the user %q. Use the same user, or destroy the job as %s first.", name, live.User, r.conn.User, live.User))
		return false
	}
	if live.Workspace != "" && live.Workspace != r.conn.Workspace {
		diags.AddError(hclspec.ForeignJob.Summary, fmt.Sprintf("job.%s belongs to the workspace %q, but this configuration is for the workspace %q. Use the same workspace, or choose a different job name.", name, live.Workspace, r.conn.Workspace))
		return false
	}
	return true
}

// ImportState implements resource.ResourceWithImportState. A job can be
// imported by ID (alice~mnist), by name, or by identity.
func (r *jobResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	user, name := splitID(req.ID, r.conn.User)
	if req.ID == "" && req.Identity != nil {
		values := attributesOf(req.Identity.Raw)
		user, name = stringOr(values["user"], r.conn.User), stringOr(values["name"], "")
		if !r.conn.checkIdentityLocation(req.Identity.Raw, &resp.Diagnostics) {
			return
		}
	}
	framework := contract.FrameworkName(user, name)
	live, err := r.find(ctx, name, framework)
	switch {
	case err != nil:
		resp.Diagnostics.AddError("Cannot import the job", fmt.Sprintf("import job.%s: %s", name, errorText(err)))
		return
	case live == nil || live.Vanished():
		resp.Diagnostics.AddAttributeError(path.Root("name"), NoSuchJob.Summary, fmt.Sprintf("The user %q has no job %q on this cluster. Use the name of the job, or user~name.", user, name))
		return
	case !r.mayRead(live, name, &resp.Diagnostics):
		return
	}
	resp.State.Raw = importedState(live, name, resp.State.Raw.Type(), &resp.Diagnostics)
	r.conn.identify(ctx, resp.Identity, jobIdentity(user, name), &resp.Diagnostics)
	resp.Diagnostics.Append(writeJobPrivate(ctx, resp.Private, jobPrivate{Name: name, Framework: framework, Location: r.conn.location()}.withLive(live))...)
}

// importedState returns a state with the declaration of a job. If a different
// front end declared the job, the content is known, but not the notation. The
// next plan then shows attributes with a different notation. If the content is
// identical, apply does not change the cluster.
func importedState(live *planner.LiveJob, name string, typ tftypes.Type, diags *diag.Diagnostics) tftypes.Value {
	tree := map[string]any{}
	if written, err := shape.ParseJSON(live.Declaration); err == nil {
		tree, _ = written.(map[string]any)
	} else if live.Applied != nil {
		tree = jobObject.Encode(declarationOf(live.Applied))
	}
	tree["name"], tree["framework_name"] = name, live.Framework
	tree["id"] = jobID(live.User, name)
	known := typ.(tftypes.Object)
	for attribute := range tree {
		if known.AttributeTypes[attribute] == nil {
			delete(tree, attribute)
		}
	}
	state, err := shape.Value(tree, typ)
	if err != nil {
		diags.AddError("Cannot import the job", fmt.Sprintf("A different version of the provider wrote the record of job.%s: %s. Remove the job from the cluster, or do not manage the job with Terraform.", name, errorText(err)))
		return tftypes.NewValue(typ, nil)
	}
	set := liveOutputs(live)
	set["content_hash"], set["outdated"] = optionalString(shortHash(live.Hash)), boolValue(false)
	if live.Applied != nil {
		set["prerequisite_order"] = prerequisiteOrder(live.Applied)
	}
	return withAttributes(state, set)
}
