package provider

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// ModifyPlan implements resource.ResourceWithModifyPlan.
func (r *jobResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if r.conn == nil {
		return
	}
	if req.Plan.Raw.IsNull() {
		r.planDestroy(ctx, req.State.Raw, &resp.Diagnostics)
		return
	}
	planned := jobObject.Keep(req.State.Raw, req.Plan.Raw)
	p := &jobPlanning{
		conn: r.conn, prior: req.State.Raw, planned: planned,
		d:     declareJob(r.conn.settings, planned, attributesOf(req.Config.Raw)["secrets_wo"]),
		diags: &resp.Diagnostics,
	}
	report(p.diags, p.d.findings, p.d.Places, everything)
	checkControl(req.Config.Raw, p.diags)
	if p.diags.HasError() {
		return
	}
	p.plan(ctx)
	resp.Plan.Raw, resp.RequiresReplace = p.planned, p.replace
}

// jobPlanning plans one job.
type jobPlanning struct {
	conn    *connection
	d       *declaration
	prior   tftypes.Value // null for a job that is created
	planned tftypes.Value
	replace path.Paths
	diags   *diag.Diagnostics
}

func (p *jobPlanning) plan(ctx context.Context) {
	creating := p.prior.IsNull()
	if !creating && knownText(attributesOf(p.prior)["name"], "") != p.d.job.Name {
		p.replace.Append(path.Root("name"))
		creating = true
	}
	live, asked := p.live(ctx, creating)
	if p.diags.HasError() {
		return
	}
	taken := foreign(live, p.d.resolved)
	if !creating && taken != nil {
		live = p.conn.takenOver(live, taken, p.d.resolved)
		p.warnTakeOver()
	}
	c := p.change(ctx, live, asked)
	if c == nil {
		return
	}
	if creating {
		p.planCreate(live)
		return
	}
	p.planChange(c, live)
}

// change compares the declaration with what is live; nil after an error.
func (p *jobPlanning) change(ctx context.Context, live *planner.Snapshot, asked bool) *planner.Change {
	plan, err := p.conn.compare(ctx, p.d, live, asked)
	var refused *operation.Refused
	switch {
	case errors.As(err, &refused):
		report(p.diags, decided(refused.Diagnostics, p.d.Decoder), p.d.Places, everything)
		return nil
	case err != nil && asked:
		p.warnNotAsked(err)
		return p.change(ctx, live, false)
	case err != nil:
		p.diags.AddError("The job was not planned", fmt.Sprintf("plan %s: %s", p.d.job.Address(), errorText(err)))
		return nil
	}
	report(p.diags, decided(plan.Findings, p.d.Decoder), p.d.Places, everything)
	if p.diags.HasError() {
		return nil
	}
	return change(plan, p.d.resolved)
}

func (p *jobPlanning) warnNotAsked(err error) {
	p.diags.AddWarning("The cluster was not asked", fmt.Sprintf("%s is planned without the cluster, which did not answer: %s.", p.d.job.Address(), errorText(err)))
}

// live returns what the cluster has of the job. A cluster that cannot be asked
// yet is no obstacle: a job that is created is planned as if there were
// nothing, another one from the state. asked is false for it.
func (p *jobPlanning) live(ctx context.Context, creating bool) (live *planner.Snapshot, asked bool) {
	live, err := p.conn.live(ctx, p.d.resolved.Address, p.d.resolved.Framework)
	switch {
	case err == nil && (creating || len(live.Jobs) > 0):
		return live, true
	case err != nil && !errors.Is(err, errUnknown):
		p.warnNotAsked(err)
	}
	if creating {
		return &planner.Snapshot{}, err == nil
	}
	return p.conn.fromState(p.prior), err == nil
}

// planCreate sets what is known before the job exists.
func (p *jobPlanning) planCreate(live *planner.Snapshot) {
	set := map[string]tftypes.Value{"state": unknownOf(tftypes.String), "exit_code": unknownOf(tftypes.Number)}
	p.planOutputs(set)
	set["secret_versions"] = p.plannedVersions(live.SecretKey)
	p.planned = withAttributes(p.planned, set)
}

// planOutputs sets the outputs that follow from the declaration alone.
func (p *jobPlanning) planOutputs(set map[string]tftypes.Value) {
	if !p.d.isUnknown(p.d.job.Path.Attr("name")) && p.conn.userKnown() {
		set["id"] = textValue(jobID(p.d.resolved.User, p.d.job.Name))
		set["framework_name"] = textValue(p.d.resolved.Framework)
	}
	if p.d.known() {
		hash, _ := planner.Hashes(p.d.resolved)
		set["content_hash"] = textValue(hash)
	} else {
		set["content_hash"] = unknownOf(tftypes.String)
	}
	set["drift"] = textsValue(nil)
	if p.d.judgeable() {
		set["prerequisite_order"] = prerequisiteOrder(p.d.resolved)
	} else {
		set["prerequisite_order"] = unknownOf(jobComputed["prerequisite_order"])
	}
}

// plannedVersions returns the versions of the secrets that will be sent; what
// needs a key that does not exist yet, or a value that is not known, is known
// after apply.
func (p *jobPlanning) plannedVersions(key []byte) tftypes.Value {
	versions := map[string]tftypes.Value{}
	for _, s := range p.d.resolved.Secrets {
		value, known := p.conn.secretValue(p.d, s)
		version := planner.SecretVersion(key, s, value)
		if version == "" || !known && s.Version == "" {
			versions[s.Name] = unknownOf(tftypes.String)
			continue
		}
		versions[s.Name] = textValue(version)
	}
	if !p.d.judgeable() {
		return unknownOf(jobComputed["secret_versions"])
	}
	return tftypes.NewValue(jobComputed["secret_versions"], versions)
}

// planChange plans a job that exists.
func (p *jobPlanning) planChange(c *planner.Change, live *planner.Snapshot) {
	switch c.Action {
	case planner.NoOp:
		p.keep(map[string]tftypes.Value{})
		if c.Outdated {
			p.diags.AddWarning("A finished job is not run again", fmt.Sprintf("%s: %s. Set rerun = \"on_change\", or replace it with -replace.", c.Address, view.Reason(c.Reason)))
		} else {
			p.keepContent("drift")
		}
	case planner.Update:
		p.keep(map[string]tftypes.Value{})
		p.keepContent()
		p.warn(c, "is changed in place")
	default: // a job that vanished since it was read is created again, too
		set := map[string]tftypes.Value{"state": unknownOf(tftypes.String), "exit_code": unknownOf(tftypes.Number)}
		p.planOutputs(set)
		set["secret_versions"] = p.plannedVersions(live.SecretKey)
		p.planned = withAttributes(p.planned, set)
		p.replaceBecause(c)
		p.warn(c, "is replaced")
	}
}

// keep takes over the outputs of the state.
func (p *jobPlanning) keep(set map[string]tftypes.Value) {
	prior := attributesOf(p.prior)
	for name := range jobComputed {
		if _, ok := set[name]; !ok {
			set[name] = prior[name]
		}
	}
	p.planned = withAttributes(p.planned, set)
}

// keepContent sets the outputs that say what is applied after a change in
// place, or without one, but those named.
func (p *jobPlanning) keepContent(but ...string) {
	set := map[string]tftypes.Value{}
	p.planOutputs(set)
	for _, name := range append(but, "id", "framework_name") {
		delete(set, name)
	}
	p.planned = withAttributes(p.planned, set)
}

// replaceBecause names the attributes that make the job be replaced.
func (p *jobPlanning) replaceBecause(c *planner.Change) {
	p.replace.Append(path.Root("content_hash"), path.Root("state"))
	for _, f := range c.Fields {
		if f.Effect != hclspec.EffectReplace {
			continue
		}
		at := hclspec.Path(string(p.d.job.Path) + "." + string(f.Path))
		if place, ok := p.d.Places.AttributeAt(at); ok && !place.Equal(path.Empty()) {
			p.replace.Append(place)
		}
	}
	for _, s := range c.Secrets {
		if s.State == planner.SecretChanged {
			p.replace.Append(path.Root("secret_versions").AtMapKey(s.Name))
		}
	}
}

// warn tells what a change does to running work.
func (p *jobPlanning) warn(c *planner.Change, what string) {
	if !c.Impact.None() {
		p.diags.AddWarning("Running work of "+string(c.Address)+" is affected", fmt.Sprintf("%s %s, because %s: %s.%s", c.Address, what, view.Reason(c.Reason), view.Impact(c.Impact), p.unshown(c)))
	}
}

// unshown names the fields that differ when no attribute of the resource does:
// their values come from the provider block, or others changed the job.
func (p *jobPlanning) unshown(c *planner.Change) string {
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
	return "\n\nNo attribute of the resource changes. What differs:" + strings.Join(differ, "")
}

// planDestroy says what is lost with the job.
func (r *jobResource) planDestroy(ctx context.Context, state tftypes.Value, diags *diag.Diagnostics) {
	d := declareJob(r.conn.settings, state, tftypes.Value{})
	framework := knownText(attributesOf(state)["framework_name"], d.resolved.Framework)
	live, err := r.conn.live(ctx, d.job.Address(), framework)
	if err != nil || len(live.Jobs) == 0 {
		live = r.conn.fromState(state)
	}
	plan, err := r.conn.operation.Plan(ctx, operation.Request{
		Assumed: map[string]*planner.Snapshot{r.conn.clusterName(): of(live, d.resolved)}, Destroy: true,
	})
	if err != nil {
		diags.AddError("The job was not planned", fmt.Sprintf("plan the end of %s: %s", d.job.Address(), errorText(err)))
		return
	}
	report(diags, plan.Findings, d.Places, everything)
	for _, c := range plan.Changes {
		if !c.Impact.None() {
			diags.AddWarning("Running work of "+string(c.Address)+" is lost", fmt.Sprintf("%s is destroyed: %s.", c.Address, view.Impact(c.Impact)))
		}
	}
}
