// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// planDestroy returns the progress of the job, or "" if the job does not end.
func (r *jobResource) planDestroy(ctx context.Context, state tftypes.Value, diags *diag.Diagnostics, before jobPrivate) operation.RunState {
	d := declareJob(r.conn.settings, state, tftypes.Value{})
	if same := r.conn.names.claim(frameworkOf(state, d), endsJob); same != noCollision {
		reportSameJob(diags, same, d.resolved.User, d.job.Name)
		return ""
	}
	return r.conn.planEnd(ctx, state, diags, before)
}

func frameworkOf(state tftypes.Value, d *declaration) string {
	return stringOr(attributesOf(state)["framework_name"], d.resolved.Framework)
}

// planEnd plans the deletion of a job and warns about running work that ends.
// It returns the progress of the job, or "" if the job does not end.
func (c *connection) planEnd(ctx context.Context, state tftypes.Value, diags *diag.Diagnostics, before jobPrivate) operation.RunState {
	d := declareJob(c.settings, state, tftypes.Value{})
	framework := frameworkOf(state, d)
	live, err := c.live(ctx, d.job.Address(), framework)
	if err != nil || len(live.Jobs) == 0 {
		live = c.fromState(state)
	}
	job := live.Job(framework)
	if before.movedAway(job) {
		warnNotDestroyed(diags, d.job.Name)
		return ""
	}
	if elsewhere(job) {
		live = c.adopted(live, job, d.resolved)
	}
	plan, err := c.operation.Plan(ctx, operation.Request{
		Assumed: map[string]*planner.Snapshot{c.clusterName(): onlyJob(live, d.resolved)}, Destroy: true,
	})
	if err != nil {
		diags.AddError("Cannot plan the job", fmt.Sprintf("plan the deletion of %s: %s", d.job.Address(), errorText(err)))
		return ""
	}
	report(diags, plan.Diagnostics, d.Places, allSeverities)
	for _, change := range plan.Changes {
		if impact := impactOf(change); impact != "" {
			diags.AddWarning(fmt.Sprintf("%s is destroyed: %s", change.Address, impact), "Reason: "+view.Reason(change.Reason)+".")
		}
	}
	if job == nil {
		return ""
	}
	return operation.RunStateOf(job)
}

// Delete implements resource.Resource. It succeeds if the job no longer exists.
func (r *jobResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	ctx, cancel := withTimeout(ctx, req.State.Raw, "delete", defaultTimeout)
	defer cancel()
	framework := stringOr(attributesOf(req.State.Raw)["framework_name"], "")
	known, name := readJobPrivate(ctx, req.Private), stringOr(attributesOf(req.State.Raw)["name"], "")
	err := r.conn.remove(ctx, framework, operation.DeleteOptions{
		Check: func(live *planner.LiveJob) error {
			return cmp.Or(known.sameJob(live), known.checkReplacement(name, live))
		},
		Replaced: known.Replaced,
		Planned:  known.Planned,
	})
	err = warnRemains(err, &resp.Diagnostics)
	var begun *operation.BegunError
	switch {
	case err == nil, errors.Is(err, cluster.ErrNotFound):
	case errors.Is(err, errElsewhere):
		warnNotDestroyed(&resp.Diagnostics, name)
	case errors.As(err, &begun):
		resp.Diagnostics.AddError(begun.Title(), fmt.Sprintf("The job was %s when the deletion was planned and is %s now, so apply did not delete it. Refresh and plan again.", begun.Planned, begun.State))
	default:
		resp.Diagnostics.AddError("Cannot destroy the job", fmt.Sprintf("delete job.%s: %s", name, errorText(err)))
	}
}

// remove deletes a job.
func (c *connection) remove(ctx context.Context, framework string, d operation.DeleteOptions) error {
	if _, err := c.Cluster(); err != nil {
		return err
	}
	return c.operation.Delete(ctx, c.clusterName(), framework, d)
}

// warnRemains converts a CleanUpError to a warning, because only the cleanup
// after the last job has failed.
func warnRemains(err error, diags *diag.Diagnostics) error {
	var remains *operation.CleanUpError
	if !errors.As(err, &remains) {
		return err
	}
	diags.AddWarning("Objects remain on the cluster", fmt.Sprintf("%s. The next destroy tries again.", errorText(err)))
	return nil
}

// checkReplacement fails if the replacement of an unfinished job has a
// different name and cannot be created.
func (m jobPrivate) checkReplacement(name string, live *planner.LiveJob) error {
	if m.Blocked == "" || m.Blocked == name || live == nil || live.State.Finished() {
		return nil
	}
	return fmt.Errorf("the job has not ended, and its replacement job.%s could not be created at plan time. Fix the cause shown in the warnings of the plan, then plan again", m.Blocked)
}

// sameJob fails if the job was deleted and created again, or if the openpai
// CLI took over the job.
func (m jobPrivate) sameJob(live *planner.LiveJob) error {
	switch {
	case live == nil:
		return nil
	case m.movedAway(live):
		return errElsewhere
	case live.UID != "" && m.UID != "" && m.UID != live.UID:
		return errors.New("the job was deleted and created again outside Terraform since the last read; refresh and plan again")
	}
	return nil
}
