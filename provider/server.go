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

// frameworkServer is what the plugin framework serves.
type frameworkServer interface {
	tfprotov6.ProviderServer
	tfprotov6.ListResourceServer
	tfprotov6.ActionServer
}

// server answers what Terraform asks about jobs: what nothing changed for
// without decoding it, the rest without the walks of the plugin framework. A job
// is a large value, and these cost more than all else (contributing/provider-design.md).
type server struct {
	frameworkServer
	provider *openpai

	once sync.Once
	typ  tftypes.Type // of the state of a job
}

var _ frameworkServer = (*server)(nil)

// Framework serves a provider by the plugin framework: it is
// providerserver.NewProtocol6, which brings gRPC along. Programs that only read
// plans do without.
type Framework func(provider.Provider) func() tfprotov6.ProviderServer

// NewServer returns the provider as it is served to Terraform.
func NewServer(version string, serve Framework) tfprotov6.ProviderServer {
	return newServer(newProvider(version), serve)
}

func newServer(p *openpai, serve Framework) tfprotov6.ProviderServer {
	return &server{frameworkServer: serve(p)().(frameworkServer), provider: p}
}

const jobType = "openpai_job"

// PlanResourceChange implements tfprotov6.ResourceServer. A job whose
// declaration is the one that was applied, and whose cluster has what was
// applied, has no change.
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
	if !s.provider.conn.names.claim(m.Framework, keepsJob) {
		var diags diag.Diagnostics
		reportSameJob(&diags, m.Name)
		resp.Diagnostics = protocolDiagnostics(diags)
	}
	return resp, nil
}

// unchangedPlan reports whether a plan cannot hold a change. Secrets are compared by
// value, which the state does not have. A provider block that is not known yet
// is treated as the one of before.
func (c *connection) unchangedPlan(req *tfprotov6.PlanResourceChangeRequest) bool {
	if req.PriorState == nil || req.ProposedNewState == nil || len(req.PriorState.MsgPack) == 0 ||
		!bytes.Equal(req.PriorState.MsgPack, req.ProposedNewState.MsgPack) {
		return false
	}
	m := decodeJobPrivate(req.PriorPrivate)
	return (c.Unknown || m.Cluster == c.fingerprint) && m.Applied != "" && m.Applied == m.Seen && !m.Secrets && !m.Drift
}

// ReadResource implements tfprotov6.ResourceServer. A job that is seen as it
// was when its state was written keeps that state.
func (s *server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	if req.TypeName != jobType || !s.unchanged(ctx, decodeJobPrivate(req.Private)) {
		return s.frameworkServer.ReadResource(ctx, req)
	}
	return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, Private: req.Private, NewIdentity: req.CurrentIdentity}, nil
}

// unchanged reports whether a job is seen as it is remembered.
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
