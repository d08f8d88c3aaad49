// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// ApplyResourceChange implements tfprotov6.ResourceServer. It creates and changes
// jobs without the tree walks of the plugin framework, like planJob.
func (s *server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	if req.TypeName != jobType || s.provider.conn == nil {
		return s.frameworkServer.ApplyResourceChange(ctx, req)
	}
	v, err := s.decodeJob(ctx, req.PriorState, req.PlannedState, req.Config)
	if err != nil {
		return nil, err
	}
	if v[1].IsNull() {
		return s.frameworkServer.ApplyResourceChange(ctx, req)
	}
	return s.applyJob(ctx, req, v[0], v[1], v[2])
}

func (s *server) applyJob(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest, prior, planned, config tftypes.Value) (*tfprotov6.ApplyResourceChangeResponse, error) {
	var diags diag.Diagnostics
	a := &jobApply{conn: s.provider.conn, planned: planned, diags: &diags, state: prior, before: decodeJobPrivate(req.PlannedPrivate)}
	apply := a.update
	if prior.IsNull() {
		apply = a.create
	}
	resp := &tfprotov6.ApplyResourceChangeResponse{Private: req.PlannedPrivate, NewIdentity: req.PlannedIdentity}
	if apply(ctx, config) {
		resp.Private = encodeJobPrivate(req.PlannedPrivate, a.private())
		if resp.NewIdentity == nil {
			identity, err := encodeValue(a.conn.jobIdentity(a.d.resolved.User, a.d.job.Name))
			if err != nil {
				return nil, err
			}
			resp.NewIdentity = &tfprotov6.ResourceIdentityData{IdentityData: identity}
		}
	}
	state, err := encodeValue(a.state)
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
