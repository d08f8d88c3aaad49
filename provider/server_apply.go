// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/provider/wire"
)

// ApplyResourceChange implements tfprotov6.ResourceServer. Like planJob, it
// avoids the tree walks of the plugin framework for new and changed jobs.
func (s *server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	if req.TypeName != jobType || s.provider.conn == nil {
		return s.frameworkServer.ApplyResourceChange(ctx, req)
	}
	v, err := s.decodeJob(ctx, req.PriorState, req.PlannedState)
	if err != nil {
		return nil, err
	}
	if v[1].IsNull() {
		resp, err := s.frameworkServer.ApplyResourceChange(ctx, req)
		if err == nil && len(resp.Private) > 0 { // after an error, Terraform keeps the job in the state
			resp.Private = encodeJobPrivate(resp.Private, decodeJobPrivate(resp.Private).withoutPlan())
		}
		return resp, err
	}
	// The planned state contains all of the configuration except secrets_wo.
	secrets, err := wire.DecodeAttribute(req.Config, s.jobType(ctx).(tftypes.Object), "secrets_wo")
	if err != nil {
		return nil, err
	}
	return s.applyJob(ctx, req, v[0], v[1], secrets)
}

func (s *server) applyJob(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest, prior, planned, secrets tftypes.Value) (*tfprotov6.ApplyResourceChangeResponse, error) {
	var diags diag.Diagnostics
	a := &jobApply{conn: s.provider.conn, planned: planned, diags: &diags, state: prior, before: decodeJobPrivate(req.PlannedPrivate)}
	apply := a.update
	if prior.IsNull() {
		apply = a.create
	}
	resp := &tfprotov6.ApplyResourceChangeResponse{Private: req.PlannedPrivate, NewIdentity: req.PlannedIdentity}
	if apply(ctx, secrets) {
		resp.Private = encodeJobPrivate(req.PlannedPrivate, a.private())
		if resp.NewIdentity == nil {
			identity, err := wire.Encode(a.conn.jobIdentity(a.d.resolved.User, a.d.job.Name))
			if err != nil {
				return nil, err
			}
			resp.NewIdentity = &tfprotov6.ResourceIdentityData{IdentityData: identity}
		}
	}
	state, err := wire.Encode(a.state)
	resp.NewState, resp.Diagnostics = state, protocolDiagnostics(diags)
	return resp, err
}

// jobIdentity returns the identity of a new job; see IdentitySchema.
func (c *connection) jobIdentity(user, name string) tftypes.Value {
	at := c.identityLocation()
	values := map[string]tftypes.Value{"user": stringValue(user), "name": stringValue(name)}
	types := map[string]tftypes.Type{"user": tftypes.String, "name": tftypes.String}
	for _, location := range identityLocations {
		values[location], types[location] = optionalString(at[location]), tftypes.String
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, values)
}
