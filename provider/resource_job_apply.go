// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// Create implements resource.Resource.
func (r *jobResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	a := &jobApply{conn: r.conn, planned: req.Plan.Raw, diags: &resp.Diagnostics}
	if a.create(ctx, attributesOf(req.Config.Raw)["secrets_wo"]) {
		resp.State.Raw = a.state
		a.identify(ctx, resp.Identity)
		a.savePrivate(ctx, resp.Private)
	}
}

// Update implements resource.Resource.
func (r *jobResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	a := &jobApply{conn: r.conn, planned: req.Plan.Raw, diags: &resp.Diagnostics, before: readJobPrivate(ctx, req.Private)}
	if a.update(ctx, attributesOf(req.Config.Raw)["secrets_wo"]) {
		resp.State.Raw = a.state
		a.identify(ctx, resp.Identity)
		a.savePrivate(ctx, resp.Private)
	}
}

// createTimeout returns the default timeout. It is 0 if apply waits for the
// job to end, because a job may run for weeks.
func createTimeout(v tftypes.Value) (limit time.Duration) {
	if stringOr(attributesOf(v)["wait_for"], "") == waitCompleted {
		return 0
	}
	return defaultTimeout
}

// jobOperation defines the changes that a Terraform operation may make to a job.
type jobOperation struct {
	name    string
	allowed map[planner.Action]bool
}

var (
	createOperation = jobOperation{"create", map[planner.Action]bool{planner.Create: true, planner.NoOp: true}}
	updateOperation = jobOperation{"update", map[planner.Action]bool{planner.Update: true, planner.NoOp: true, planner.Create: true}}
	// rerunOperation is the rerun action, which has no plan.
	rerunOperation = jobOperation{"run again", map[planner.Action]bool{planner.Replace: true, planner.Create: true}}
	// rescaleOperation is the rescale action, which has no plan.
	rescaleOperation = jobOperation{"rescale", map[planner.Action]bool{planner.Update: true, planner.NoOp: true}}
)

// jobApply applies the plan for one job.
type jobApply struct {
	conn    *connection
	d       *declaration
	planned tftypes.Value
	diags   *diag.Diagnostics
	// before is the private state of the resource.
	before jobPrivate
	// unchanged is true if submit had nothing to change.
	unchanged bool
	// live is the job as read after the operation, or nil.
	live *planner.LiveJob
	// state is the state of the resource after the operation.
	state tftypes.Value
	// progress receives messages during a wait. It is nil for a resource,
	// because Terraform shows such messages only for actions.
	progress *jobProgress
}

// create submits a job and sets the state. The parameter secrets contains the
// write-only values. create resumes a creation that was killed before Terraform
// wrote the state.
func (a *jobApply) create(ctx context.Context, secrets tftypes.Value) bool {
	ctx, cancel := withTimeout(ctx, a.planned, "create", createTimeout(a.planned))
	defer cancel()
	a.d = declareJob(a.conn.settings, a.planned, secrets)
	plan, c := a.compare(ctx, createOperation)
	if c == nil {
		return false
	}
	creation, err := a.conn.operation.Create(ctx, plan, *c, a.condition() != nil, a.options())
	if err != nil {
		return a.fail(createOperation, err)
	}
	a.wait(ctx)
	a.live, err = creation.Finish(ctx)
	a.setState(nil, err)
	return true
}

// update changes a job in place and sets the state.
func (a *jobApply) update(ctx context.Context, secrets tftypes.Value) bool {
	ctx, cancel := withTimeout(ctx, a.planned, "update", defaultTimeout)
	defer cancel()
	a.d = declareJob(a.conn.settings, a.planned, secrets)
	if !a.submit(ctx, updateOperation) {
		return false
	}
	after, done := afterwards(ctx)
	defer done()
	live, err := a.conn.reread(after, a.d.resolved.Framework)
	a.live = live
	a.setState(attributesOf(a.planned), err)
	return true
}

// submit returns false if applying fails or the operation does not permit the
// change.
func (a *jobApply) submit(ctx context.Context, op jobOperation) bool {
	plan, c := a.compare(ctx, op)
	if c == nil {
		return false
	}
	if !op.allowed[c.Action] && !interrupted(plan.Live[c.Cluster], c) {
		a.diags.AddError(notAllowed(op, c))
		return false
	}
	a.unchanged = c.Action == planner.NoOp
	if err := a.conn.operation.Apply(ctx, plan, a.options()); err != nil {
		return a.fail(op, err)
	}
	return true
}

// compare plans the change for an operation. After an error, it returns nil.
func (a *jobApply) compare(ctx context.Context, op jobOperation) (*operation.Plan, *planner.Change) {
	report(a.diags, a.d.diagnostics, a.d.Places, errorsOnly)
	if a.diags.HasError() {
		return nil, nil
	}
	live, err := a.conn.live(ctx, a.d.resolved.Address, a.d.resolved.Framework)
	if err == nil && op.name == updateOperation.name {
		live, err = a.adopt(ctx, live)
	}
	var plan *operation.Plan
	if err == nil {
		plan, err = a.conn.compare(ctx, a.d, live, comparison{online: true, rerun: op.name == rerunOperation.name})
	}
	if err != nil {
		a.fail(op, err)
		return nil, nil
	}
	report(a.diags, plan.Diagnostics, a.d.Places, errorsOnly)
	if a.diags.HasError() {
		return nil, nil
	}
	return plan, changeOf(plan, a.d.resolved)
}

func (a *jobApply) options() operation.ApplyOptions {
	return operation.ApplyOptions{Declaration: func(*planner.Change) []byte { return a.declaration() }}
}

// interrupted reports whether a change replaces a job that was never started.
// Such a job remains, for example, if the response to an earlier try of the
// operation was lost. Apply may replace the job, because the job is not
// running.
func interrupted(live *planner.Snapshot, c *planner.Change) bool {
	return c.Action == planner.Replace && slices.ContainsFunc(live.Jobs, func(j *planner.LiveJob) bool {
		return j.Framework == c.Framework && j.Address == c.Address && j.Unstarted
	})
}

func notAllowed(op jobOperation, c *planner.Change) (summary, detail string) {
	switch op.name {
	case rerunOperation.name:
		return "Cannot run the job again", fmt.Sprintf("%s has not finished (%s). Stop it first.", c.Address, view.Reason(c.Reason))
	case rescaleOperation.name:
		return "Cannot rescale the job", fmt.Sprintf("%s would have to be replaced (%s). A gang can be rescaled in place only if it was applied with rescale = \"in_place\". Otherwise, change the number of tasks in the resource of the job.", c.Address, view.Reason(c.Reason))
	}
	return "Cannot apply the job", fmt.Sprintf("%s would have to be replaced now (%s), but the plan does not replace it. Plan and apply again.", c.Address, view.Reason(c.Reason))
}

func (a *jobApply) fail(op jobOperation, err error) bool {
	var refused *operation.Refused
	if errors.As(err, &refused) {
		report(a.diags, refused.Diagnostics, a.d.Places, errorsOnly)
		return false
	}
	var exists *operation.ExistsError
	if errors.As(err, &exists) {
		reportExists(a.diags, a.d, exists)
		return false
	}
	text, address := errorText(err), a.d.job.Address()
	if !strings.Contains(text, string(address)+": ") {
		text = fmt.Sprintf("%s %s: %s", op.name, address, text)
	}
	a.diags.AddError("Cannot apply the job", text)
	return false
}

// declaration returns the declaration from which an import creates the state.
func (a *jobApply) declaration() []byte {
	tree := map[string]any{}
	for name, v := range attributesOf(a.planned) {
		if jobComputed[name] != nil {
			continue
		}
		if part, known := shape.Tree(v); known && part != nil {
			tree[name] = part
		}
	}
	return shape.MarshalTree(tree)
}

// timeout returns the declared timeout, or the default timeout.
func (a *jobApply) timeout() string {
	return stringOr(attributesOf(attributesOf(a.planned)["timeouts"])["create"], createTimeout(a.planned).String())
}

// condition returns nil if apply does not wait.
func (a *jobApply) condition() cluster.Condition {
	return map[string]cluster.Condition{waitRunning: cluster.Running, waitCompleted: cluster.Finished}[stringOr(attributesOf(a.planned)["wait_for"], waitAccepted)]
}

// wait waits for the condition in wait_for. It only warns, because after an
// error, Terraform would replace the job in the next apply.
func (a *jobApply) wait(ctx context.Context) {
	until := a.condition()
	if until == nil {
		return
	}
	j, err := a.conn.job(a.d.resolved)
	var last *cluster.Status
	switch {
	case err != nil:
	case a.progress != nil:
		last, err = a.progress.wait(ctx, j, until)
	default:
		last, err = j.Wait(ctx, until, loggedProgress(ctx, a.d.job.Name).changed)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		a.diags.AddAttributeWarning(path.Root("wait_for"), "The job continues", fmt.Sprintf("%s of timeouts.create have passed; the job goes on. Refresh to see the state of %s.", a.timeout(), a.d.job.Address()))
	case errors.Is(err, context.Canceled):
		a.diags.AddAttributeWarning(path.Root("wait_for"), "The job continues", fmt.Sprintf("%s was submitted, but apply was interrupted before the wait for the job ended. The job continues. Refresh to see the state of the job.", a.d.job.Address()))
	case err != nil && !errors.Is(err, cluster.ErrEnded):
		a.diags.AddAttributeWarning(path.Root("wait_for"), "Cannot watch the job", fmt.Sprintf("%s was submitted, but the status of the job cannot be read: %s. Refresh to try again.", a.d.job.Address(), errorText(err)))
	case last != nil && last.State.Finished() && last.State != planner.StateSucceeded:
		a.diags.AddAttributeWarning(path.Root("wait_for"), "The job did not succeed", describeFailure(a.d.job.Address(), last))
	}
}

func describeFailure(address hclspec.Address, s *cluster.Status) string {
	return describeEnd(address, s) + ". The job does not run again automatically."
}

func describeEnd(address hclspec.Address, s *cluster.Status) string {
	text := fmt.Sprintf("%s ended as %s", address, s.State)
	if s.UserCode != nil {
		text += fmt.Sprintf(" with exit code %d", *s.UserCode)
	}
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	return text
}

// contentHash returns the content hash of the job. It does not calculate the
// hash of a created job again.
func (a *jobApply) contentHash() string {
	if a.live != nil && a.live.Applied == a.d.resolved {
		return a.live.Hash
	}
	return a.d.contentHash()
}

// setState sets the state after an operation; err is the error from reading the
// job. planned contains the planned outputs, which setState keeps. After a
// creation, planned is nil.
func (a *jobApply) setState(planned map[string]tftypes.Value, err error) {
	hash := a.contentHash()
	set := map[string]tftypes.Value{
		"id": stringValue(jobID(a.d.resolved.User, a.d.job.Name)), "framework_name": stringValue(a.d.resolved.Framework),
		"content_hash": stringValue(shortHash(hash)), "prerequisite_order": prerequisiteOrder(a.d.resolved),
		"state": stringValue(string(planner.StateWaiting)), "exit_code": tftypes.NewValue(tftypes.Number, nil),
		"secret_versions": stringMapValue(nil), "drift": stringListValue(nil), "outdated": boolValue(a.live != nil && isOutdated(a.live, hash)),
	}
	if err != nil {
		a.diags.AddWarning("States are not refreshed", errorText(err))
	}
	if a.live != nil {
		for name, v := range liveOutputs(a.live) {
			if name != "drift" {
				set[name] = v
			}
		}
		if a.live.Hash != "" {
			set["content_hash"] = stringValue(shortHash(a.live.Hash))
		}
	}
	for name := range jobComputed {
		if v, ok := planned[name]; ok && v.IsFullyKnown() {
			set[name] = v
		}
	}
	if v := attributesOf(a.planned)["exit_code"]; v.IsKnown() {
		set["exit_code"] = v // keeps the planned value
	}
	a.state = withAttributes(a.planned, set)
}
