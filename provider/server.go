// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"bytes"
	"context"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// frameworkServer is the interface of the plugin framework's server.
type frameworkServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
}

// server handles Terraform's requests for jobs. It does not decode unchanged
// jobs. It handles changed jobs without the tree walks of the plugin
// framework. A job is a large value, and these walks take more time than all
// other work (contributing/provider-design.md).
type server struct {
	frameworkServer
	provider *openpai
	actions  actionCalls

	once sync.Once
	typ  tftypes.Type // type of the state of a job
}

var _ frameworkServer = (*server)(nil)

// Framework serves a provider with the plugin framework. The only implementation
// is providerserver.NewProtocol6. [NewServer] has a parameter of this type,
// because the plugin framework's server depends on gRPC, and programs that only
// read plans do not need gRPC.
type Framework func(provider.Provider) func() tfprotov6.ProviderServer

// NewServer returns the provider server for Terraform.
func NewServer(version string, serve Framework) tfprotov6.ProviderServer {
	return newServer(newProvider(version), serve)
}

func newServer(p *openpai, serve Framework) tfprotov6.ProviderServer {
	return &server{frameworkServer: serve(p)().(frameworkServer), provider: p}
}

const jobType = "openpai_job"

// PlanResourceChange implements tfprotov6.ResourceServer. A job is unchanged if
// its declaration is the applied declaration and the cluster still has the
// applied job.
func (s *server) PlanResourceChange(ctx context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	switch {
	case req.TypeName != jobType || !s.provider.serves():
		return s.frameworkServer.PlanResourceChange(ctx, req)
	case !s.provider.conn.unchangedPlan(req):
		return s.planJob(ctx, req)
	}
	m := decodeJobPrivate(req.PriorPrivate)
	resp := &tfprotov6.PlanResourceChangeResponse{
		PlannedState: req.PriorState, PlannedPrivate: req.PriorPrivate, PlannedIdentity: req.PriorIdentity,
	}
	var diags diag.Diagnostics
	reportSameJob(&diags, s.provider.conn.names.claim(m.Framework, keepsJob), s.provider.conn.User, m.Name)
	resp.Diagnostics = protocolDiagnostics(diags)
	return resp, nil
}

// unchangedPlan reports whether a plan cannot contain a change. It returns
// false for jobs with secrets: the state contains no secret values to compare.
// An unknown provider block is treated as unchanged.
func (c *connection) unchangedPlan(req *tfprotov6.PlanResourceChangeRequest) bool {
	if req.PriorState == nil || req.ProposedNewState == nil || len(req.PriorState.MsgPack) == 0 ||
		!bytes.Equal(req.PriorState.MsgPack, req.ProposedNewState.MsgPack) {
		return false
	}
	m := decodeJobPrivate(req.PriorPrivate)
	return (c.Unknown || m.Cluster == c.fingerprint) && m.Applied != "" && m.Applied == m.Seen && !m.Secrets && !m.Drift
}

// ReadResource implements tfprotov6.ResourceServer. For a job that has not
// changed since its state was written, it returns the state unchanged.
func (s *server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	if req.TypeName != jobType || !s.unchanged(ctx, decodeJobPrivate(req.Private)) {
		return s.frameworkServer.ReadResource(ctx, req)
	}
	return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, Private: req.Private, NewIdentity: req.CurrentIdentity}, nil
}

// unchanged reports whether the live job matches the private state.
func (s *server) unchanged(ctx context.Context, m jobPrivate) bool {
	conn := s.provider.conn
	if !s.provider.serves() || m.Framework == "" {
		return false
	}
	live, err := conn.live(ctx, hclspec.NewAddress("job", m.Name), m.Framework)
	if err != nil {
		return false
	}
	for _, job := range live.Jobs {
		if job.Framework == m.Framework {
			now := jobPrivate{Framework: m.Framework, Name: m.Name, Applied: m.Applied, Secrets: m.Secrets, Cluster: m.Cluster, Location: m.Location}.withLive(job)
			return now == m && !m.isOutdated(job) && job.User == conn.User && job.Workspace == conn.Workspace && !job.Vanished()
		}
	}
	return false
}
