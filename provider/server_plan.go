// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/provider/wire"
)

// planJob plans a job. Unlike the plugin framework, it does not walk the
// whole value once for each schema feature. A job's schema uses only two of
// these features: computed and write-only attributes. In a plan with a
// change, computed attributes are unknown. A plan never contains write-only
// attributes. ModifyPlan does the rest.
func (s *server) planJob(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	v, err := s.decodeJob(ctx, req.PriorState, req.ProposedNewState, req.Config)
	if err != nil {
		return nil, err
	}
	prior, planned, config := v[0], v[1], v[2]
	if !planned.IsNull() {
		planned = s.withoutSecrets(ctx, planned)
		if prior.IsNull() || !planned.Equal(prior) {
			planned = withUnknownOutputs(planned)
		}
	}
	in := resource.ModifyPlanRequest{
		Config: tfsdk.Config{Raw: config}, Plan: tfsdk.Plan{Raw: planned}, State: tfsdk.State{Raw: prior},
	}
	out := resource.ModifyPlanResponse{Plan: in.Plan}
	before := decodeJobPrivate(req.PriorPrivate)
	seen, blocked := (&jobResource{conn: s.provider.conn}).modifyPlan(ctx, in, &out, before)
	state, err := wire.Encode(out.Plan.Raw)
	if err != nil {
		return nil, err
	}
	private := req.PriorPrivate
	m := s.plannedPrivate(before, prior, out.Plan.Raw, seen)
	if m.Blocked = ""; blocked && prior.IsNull() {
		m.Blocked = stringOr(attributesOf(out.Plan.Raw)["name"], "")
	}
	if m != before {
		private = encodeJobPrivate(private, m)
	}
	resp := &tfprotov6.PlanResourceChangeResponse{
		PlannedState: state, PlannedPrivate: private, PlannedIdentity: req.PriorIdentity, Diagnostics: protocolDiagnostics(out.Diagnostics),
	}
	for _, p := range out.RequiresReplace {
		resp.RequiresReplace = append(resp.RequiresReplace, protocolPath(p))
	}
	return resp, nil
}

// plannedPrivate returns the private state of a plan. Terraform plans a
// replacement in two calls; the second call has no prior state. seen is the
// job's progress that this call read.
func (s *server) plannedPrivate(before jobPrivate, prior, planned tftypes.Value, seen operation.RunState) jobPrivate {
	if prior.IsNull() {
		before.Replaced = true
		if s.replaces(before, planned) {
			before.Planned = cmp.Or(before.Planned, seen)
		}
		return before
	}
	before = before.withoutPlan() // remove values left by an earlier failed apply
	before.Planned = seen
	before.Framework = cmp.Or(before.Framework, stringOr(attributesOf(prior)["framework_name"], "")) // for the second call
	return before
}

// replaces reports whether the planned job replaces a job that apply deletes.
// In that case, the plan has the private state of the deleted job, or the job
// is tainted.
func (s *server) replaces(before jobPrivate, planned tftypes.Value) bool {
	framework := stringOr(attributesOf(planned)["framework_name"], "")
	return before.Framework != "" || s.provider.conn != nil && framework != "" && !s.provider.conn.names.isNew(framework)
}

// withoutSecrets sets the write-only attribute to null.
func (s *server) withoutSecrets(ctx context.Context, v tftypes.Value) tftypes.Value {
	if attributesOf(v)["secrets_wo"].IsNull() {
		return v
	}
	return withAttributes(v, map[string]tftypes.Value{"secrets_wo": tftypes.NewValue(s.jobType(ctx).(tftypes.Object).AttributeTypes["secrets_wo"], nil)})
}

// withUnknownOutputs sets the computed attributes to unknown.
func withUnknownOutputs(v tftypes.Value) tftypes.Value {
	set := make(map[string]tftypes.Value, len(jobComputed))
	for name, typ := range jobComputed {
		set[name] = unknownValue(typ)
	}
	return withAttributes(v, set)
}
