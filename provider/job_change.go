package provider

import (
	"os"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/internal/render"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// compare plans one job against what is live.
func (c *connection) compare(d *declaration, live *planner.Snapshot) *planner.Plan {
	plan := planner.New(planner.Options{
		Workspace:   c.Workspace,
		Jobs:        []*resolve.Job{d.resolved},
		Live:        map[string]*planner.Snapshot{c.clusterName(): of(live, d.resolved)},
		Render:      func(job *resolve.Job) ([]planner.Object, hcl.Diagnostics) { return nil, c.renderFindings(d, job) },
		SecretValue: func(s *resolve.Secret) (string, bool) { return c.secretValue(d, s) },
		Sources:     d.Places.Sources,
	})
	sayHow(plan.Findings, live, d.resolved)
	return plan
}

// sayHow says how Terraform comes to the job of somebody else, where the
// command line would say `openpai adopt`.
func sayHow(found hcl.Diagnostics, live *planner.Snapshot, job *resolve.Job) {
	how := "write that workspace in the provider block."
	if foreign(live, job) != nil {
		how = "take that one over with: terraform import ADDRESS " + jobID(job.User, job.Name)
	}
	for _, f := range found {
		if hclspec.Code(f) == hclspec.ForeignJob.Code {
			f.Detail = strings.ReplaceAll(f.Detail, "take that one over with: openpai adopt "+string(job.Address), how)
		}
	}
}

// of leaves out the jobs of the workspace that are not this one: other
// resources stand for them.
func of(live *planner.Snapshot, job *resolve.Job) *planner.Snapshot {
	kept := &planner.Snapshot{SecretKey: live.SecretKey, Permissions: live.Permissions}
	for _, l := range live.Jobs {
		if l.Address == job.Address || l.Framework == job.Framework {
			kept.Jobs = append(kept.Jobs, l)
		}
	}
	return kept
}

// change returns what the plan does with the declared job, or nil when it
// cannot be planned.
func change(p *planner.Plan, job *resolve.Job) *planner.Change {
	for _, c := range p.Changes {
		if c.Address == job.Address {
			return c
		}
	}
	return nil
}

// renderFindings finds what the cluster of a job lacks.
func (c *connection) renderFindings(d *declaration, job *resolve.Job) hcl.Diagnostics {
	t := render.ClusterTarget(d.workspace, job.Cluster)
	_, diags := render.Objects(job, t)
	if t.Local {
		diags = append(diags, local.Warnings(job, t.Sources)...)
	}
	return diags
}

// secretValue returns the value of a secret that is to be had here.
func (c *connection) secretValue(d *declaration, s *resolve.Secret) (string, bool) {
	if s.Declared == nil || d.isUnknown(s.Declared.Path) {
		return "", false
	}
	value, err := c.readSecret(s)
	return value, err == nil
}

func (c *connection) readSecret(s *resolve.Secret) (string, error) {
	return workspace.ReadSecret(s.Declared, c.Directory, os.Environ())
}

// fromState makes a live job of a state, for the time when the cluster cannot
// be asked.
func (c *connection) fromState(state tftypes.Value) *planner.Snapshot {
	d := declareJob(c.settings, state, tftypes.Value{})
	hash, fields := planner.Hashes(d.resolved)
	return &planner.Snapshot{Jobs: []*planner.LiveJob{{
		Address: d.resolved.Address, Workspace: c.Workspace, User: d.resolved.User, Framework: d.resolved.Framework,
		State: planner.StateUnknown, Present: true, Hash: hash, Fields: fields, Applied: d.resolved,
		SecretVersions: texts(attributesOf(state)["secret_versions"]),
	}}}
}

func texts(v tftypes.Value) map[string]string {
	m := map[string]string{}
	for key, e := range attributesOf(v) {
		m[key] = knownText(e, "")
	}
	return m
}
