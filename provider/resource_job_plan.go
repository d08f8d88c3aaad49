// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// ModifyPlan implements resource.ResourceWithModifyPlan.
func (r *jobResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	r.modifyPlan(ctx, req, resp, jobPrivate{})
}

// modifyPlan implements ModifyPlan. The parameter before is the private state:
// in the second call for a replacement, Terraform passes no prior state. The
// result seen is the progress of the job that the plan ends, or "". The result
// blocked is true if the plan detected that a new job cannot be created.
func (r *jobResource) modifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse, before jobPrivate) (seen operation.RunState, blocked bool) {
	if r.conn == nil {
		return "", false
	}
	if req.Plan.Raw.IsNull() {
		return r.planDestroy(ctx, req.State.Raw, &resp.Diagnostics, before), false
	}
	planned := jobObject.KeepEqual(req.State.Raw, req.Plan.Raw)
	p := &jobPlan{
		conn: r.conn, prior: req.State.Raw, planned: planned,
		d:     declareJob(r.conn.settings, planned, attributesOf(req.Config.Raw)["secrets_wo"]),
		diags: &resp.Diagnostics, before: before,
	}
	p.report(p.d.diagnostics)
	checkControl(req.Config.Raw, p.diags)
	if p.diags.HasError() {
		return "", false
	}
	p.plan(ctx)
	resp.Plan.Raw, resp.RequiresReplace = p.planned, p.replace
	return p.seen, p.blocked
}

// jobPlan plans one job.
type jobPlan struct {
	conn    *connection
	d       *declaration
	prior   tftypes.Value // null for a new job
	planned tftypes.Value
	// before is the private state that Terraform passed to this call. It
	// contains the Framework even in the second call for a replacement.
	before jobPrivate
	// takes is true if apply takes over the job.
	takes   bool
	replace path.Paths
	// seen is the progress of the job that the plan ends, or "".
	seen operation.RunState
	// blocked is true if the plan detected that the job cannot be created.
	blocked bool
	diags   *diag.Diagnostics
}

func (p *jobPlan) plan(ctx context.Context) {
	creating := p.prior.IsNull()
	if !creating && stringOr(attributesOf(p.prior)["name"], "") != p.d.job.Name {
		p.replace.Append(path.Root("name"))
		p.seen = p.conn.planEnd(ctx, p.prior, p.diags, p.before)
		creating = true
	}
	p.claim()
	if p.diags.HasError() {
		return
	}
	live, online := p.live(ctx, creating)
	if !creating && p.before.movedAway(live.Job(p.d.resolved.Framework)) {
		p.planMovedAway()
		return
	}
	if adopted := p.takenOver(live); !creating && adopted != nil {
		live, p.takes = p.conn.adopted(live, adopted, p.d.resolved), elsewhere(adopted)
		p.warnAdoption(adopted)
	}
	c := p.change(ctx, live, online)
	if c == nil {
		return
	}
	if creating {
		p.planCreate(live)
		p.warnReplacement(c)
	} else {
		p.planChange(c, live)
	}
	if job := live.Job(p.d.resolved.Framework); job != nil && (p.prior.IsNull() || len(p.replace) > 0) {
		p.seen = cmp.Or(p.seen, operation.RunStateOf(job))
	}
}

// report omits warnings already shown for another job.
func (p *jobPlan) report(found hcl.Diagnostics) {
	report(p.diags, withDestroy(p.conn.warnings.news(found, p.d.job.Address())), p.d.Places, allSeverities)
}

// change compares the declaration with the live state. It returns nil after
// an error.
func (p *jobPlan) change(ctx context.Context, live *planner.Snapshot, online bool) *planner.Change {
	plan, err := p.conn.compare(ctx, p.d, live, comparison{
		online: online, preliminary: true, isNew: p.isNew(), replace: p.replacesItself(), endsWork: p.endsWork(),
	})
	var refused *operation.Refused
	var exists *operation.ExistsError
	switch {
	case errors.As(err, &exists):
		reportExists(p.diags, p.d, exists)
		return nil
	case errors.As(err, &refused):
		p.report(withoutUndecided(refused.Diagnostics, p.d.Decoder))
		return nil
	case err != nil && online:
		p.warnOffline(err)
		return p.change(ctx, live, false)
	case err != nil:
		p.diags.AddError("Cannot plan the job", fmt.Sprintf("plan %s: %s", p.d.job.Address(), errorText(err)))
		return nil
	}
	found := withoutUndecided(plan.Diagnostics, p.d.Decoder)
	p.blocked = slices.ContainsFunc(found, isObstacle)
	p.report(found)
	if p.diags.HasError() {
		return nil
	}
	c := changeOf(plan, p.d.resolved)
	if c != nil && c.Reason.Code == planner.ReasonElsewhere {
		reportElsewhere(p.diags, p.d.resolved)
		return nil
	}
	return c
}

func (p *jobPlan) warnOffline(err error) {
	p.conn.warnings.warn(p.diags, "States are not refreshed", fmt.Sprintf("The provider plans jobs from the state, because the cluster did not respond: %s.", errorText(err)))
}

// live returns the state on the cluster. If the cluster cannot be accessed
// yet, online is false. The plan of a new job then assumes an empty cluster;
// the plan of an existing job uses the Terraform state.
func (p *jobPlan) live(ctx context.Context, creating bool) (live *planner.Snapshot, online bool) {
	live, err := p.conn.live(ctx, p.d.resolved.Address, p.d.resolved.Framework)
	switch {
	case err == nil && (creating || len(live.Jobs) > 0):
		return live, true
	case err != nil && !errors.Is(err, errUnknown):
		p.warnOffline(err)
	}
	switch {
	case !creating:
		return p.conn.fromState(p.prior), err == nil
	case err != nil && p.replacesItself():
		return assumed(p.d.resolved, p.conn.names.last(p.d.resolved.Framework)), false
	}
	return &planner.Snapshot{}, err == nil
}

// planCreate sets the outputs of a new job.
func (p *jobPlan) planCreate(live *planner.Snapshot) {
	p.planSubmission(live)
}

// planSubmission sets the outputs of a job that apply submits.
func (p *jobPlan) planSubmission(live *planner.Snapshot) {
	set := map[string]tftypes.Value{"state": unknownValue(tftypes.String), "exit_code": plannedExitCode(p.planned)}
	p.planOutputs(set)
	set["secret_versions"] = p.plannedVersions(live.SecretKey)
	p.planned = withAttributes(p.planned, set)
}

// plannedExitCode returns null if apply does not wait for the end of the job.
// A later refresh sets the exit code.
func plannedExitCode(planned tftypes.Value) tftypes.Value {
	waits := attributesOf(planned)["wait_for"]
	if !waits.IsKnown() || stringOr(waits, waitAccepted) == waitCompleted {
		return unknownValue(tftypes.Number)
	}
	return tftypes.NewValue(tftypes.Number, nil)
}

// planOutputs sets the outputs that depend only on the declaration.
func (p *jobPlan) planOutputs(set map[string]tftypes.Value) {
	if !p.d.isUnknown(p.d.job.Path.Attr("name")) && p.conn.userKnown() {
		set["id"] = stringValue(jobID(p.d.resolved.User, p.d.job.Name))
		set["framework_name"] = stringValue(p.d.resolved.Framework)
	}
	if p.d.known() {
		set["content_hash"] = stringValue(shortHash(p.d.contentHash()))
	} else {
		set["content_hash"] = unknownValue(tftypes.String)
	}
	set["drift"], set["outdated"] = stringListValue(nil), boolValue(false)
	if p.d.canValidate() {
		set["prerequisite_order"] = prerequisiteOrder(p.d.resolved)
	} else {
		set["prerequisite_order"] = unknownValue(jobComputed["prerequisite_order"])
	}
}

// plannedVersions returns the version of each secret. A version is unknown
// until apply if the value is unknown, or if the key for secret versions does
// not exist yet.
func (p *jobPlan) plannedVersions(key []byte) tftypes.Value {
	versions := map[string]tftypes.Value{}
	for _, s := range p.d.resolved.Secrets {
		value, known := p.conn.secretValue(p.d, s)
		version := planner.SecretVersion(key, s, value)
		if version == "" || !known && s.Version == "" {
			versions[s.Name] = unknownValue(tftypes.String)
			continue
		}
		versions[s.Name] = stringValue(shortHash(version))
	}
	if !p.d.canValidate() {
		return unknownValue(jobComputed["secret_versions"])
	}
	return tftypes.NewValue(jobComputed["secret_versions"], versions)
}

// planChange plans a job that is in the state.
func (p *jobPlan) planChange(c *planner.Change, live *planner.Snapshot) {
	switch c.Action {
	case planner.NoOp:
		p.keepOutputs(map[string]tftypes.Value{})
		if c.Outdated {
			p.planOutdated(c)
		} else {
			p.planContent("drift")
		}
		if p.takes {
			p.planned = withAttributes(p.planned, map[string]tftypes.Value{"drift": stringListValue(nil)})
		}
	case planner.Update:
		p.keepOutputs(map[string]tftypes.Value{})
		p.planContent()
		p.warnDrift(c, live)
		p.warnImpact(c, "is changed in place")
	default: // includes a job that disappeared after Terraform read it: apply creates the job again
		p.planSubmission(live)
		p.requireReplace(c)
		p.warnImpact(c, "is replaced")
	}
}

// keepOutputs sets the outputs in set, and copies all other outputs from the
// prior state.
func (p *jobPlan) keepOutputs(set map[string]tftypes.Value) {
	prior := attributesOf(p.prior)
	for name := range jobComputed {
		if _, ok := set[name]; !ok {
			set[name] = prior[name]
		}
	}
	p.planned = withAttributes(p.planned, set)
}

// planContent sets the outputs that describe the content of the job. The
// parameter but contains the outputs to skip. Callers use planContent for
// updates in place and unchanged jobs.
func (p *jobPlan) planContent(but ...string) {
	set := map[string]tftypes.Value{}
	p.planOutputs(set)
	for _, name := range append(but, "id", "framework_name") {
		delete(set, name)
	}
	p.planned = withAttributes(p.planned, set)
}

// warnImpact puts the effect on running work in the title, because Terraform
// prints only the titles of similar warnings.
func (p *jobPlan) warnImpact(c *planner.Change, what string) {
	if impact := impactOf(c); impact != "" {
		p.diags.AddWarning(fmt.Sprintf("%s %s: %s", c.Address, what, impact), fmt.Sprintf("Reason: %s.%s", view.Reason(c.Reason), p.hiddenChanges(c)))
	}
}

// impactOf returns the impact as a clause, or "". A job in an unknown state may
// be running.
func impactOf(c *planner.Change) string {
	if ends := c.Action == planner.Replace || c.Action == planner.Delete; ends && c.Impact.None() && c.State == planner.StateUnknown {
		return "any running tasks end"
	}
	return view.Impact(c.Impact)
}

// hiddenChanges lists the changed fields if no attribute of the resource changes.
// A changed provider block or another program causes such changes.
func (p *jobPlan) hiddenChanges(c *planner.Change) string {
	before, after := attributesOf(p.prior), attributesOf(p.planned)
	for name := range jobObject.Type().AttributeTypes {
		if !before[name].Equal(after[name]) {
			return ""
		}
	}
	var differ []string
	for _, f := range c.Fields {
		differ = append(differ, "\n  "+string(f.Path))
	}
	if differ == nil {
		return ""
	}
	return "\n\nNo attribute of the resource changes. Differences:" + strings.Join(differ, "")
}
