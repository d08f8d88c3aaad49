// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"os"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/workspace"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// comparison contains the options of [connection.compare].
type comparison struct {
	online bool // whether the cluster can be accessed
	// preliminary is true during plan, because apply compares the job again.
	preliminary bool
	isNew       bool // operation.Request.New
	rerun       bool // whether a finished job runs again
	replace     bool // whether Terraform replaces the job, regardless of the job's state
	endsWork    bool // operation.Request.EndsWork
}

// compare plans the declared job. If the cluster cannot be accessed, compare
// assumes that the cached state is correct.
func (c *connection) compare(ctx context.Context, d *declaration, seen *planner.Snapshot, how comparison) (*operation.Plan, error) {
	r := operation.Request{
		Preliminary: how.preliminary, New: how.isNew, EndsWork: how.endsWork,
		Jobs: []*resolve.Job{d.resolved}, Workspace: d.workspace,
		SecretValue:   func(s *resolve.Secret) (string, bool) { return c.secretValue(d, s) },
		SecretUnknown: d.secretUnknown,
	}
	if how.rerun {
		r.Rerun = []hclspec.Address{d.resolved.Address}
	}
	if how.replace {
		r.Replace = []hclspec.Address{d.resolved.Address}
	}
	if how.online {
		r.Live = c.reader(d.resolved, seen)
	} else {
		r.Assumed = map[string]*planner.Snapshot{c.clusterName(): onlyJob(seen, d.resolved)}
	}
	return c.operation.Plan(ctx, r)
}

// onlyJob omits jobs of other resources in the workspace.
func onlyJob(live *planner.Snapshot, job *resolve.Job) *planner.Snapshot {
	kept := &planner.Snapshot{SecretKey: live.SecretKey, UnreadableKey: live.UnreadableKey, Permissions: live.Permissions}
	for _, l := range live.Jobs {
		if l.Address == job.Address || l.Framework == job.Framework {
			kept.Jobs = append(kept.Jobs, l)
		}
	}
	return kept
}

// changeOf returns the planned change to the job, or nil.
func changeOf(p *operation.Plan, job *resolve.Job) *planner.Change {
	for _, c := range p.Changes {
		if c.Address == job.Address {
			return c
		}
	}
	return nil
}

// secretValue returns false if the secret is not declared or its value is not
// available.
func (c *connection) secretValue(d *declaration, s *resolve.Secret) (string, bool) {
	if s.Declared == nil || d.isUnknown(s.Declared.Path) {
		return "", false
	}
	value, err := c.readSecret(s.Declared)
	return value, err == nil
}

func (c *connection) readSecret(s *hclspec.Secret) (string, error) {
	return workspace.ReadSecret(s, c.Directory, os.Environ())
}

// fromState builds a snapshot from the state of a resource, for use without a
// live state.
func (c *connection) fromState(state tftypes.Value) *planner.Snapshot {
	d := declareJob(c.settings, state, tftypes.Value{})
	live := assumed(d.resolved, planner.JobState(stringOr(attributesOf(state)["state"], "")))
	live.Jobs[0].SecretVersions = stringMap(attributesOf(state)["secret_versions"])
	return live
}

// assumed returns a job with its last known state. A state that is not final
// becomes unknown, because the job may have finished in the meantime.
func assumed(job *resolve.Job, last planner.JobState) *planner.Snapshot {
	hash, fields := planner.Hashes(job)
	if !last.Finished() {
		last = planner.StateUnknown
	}
	return &planner.Snapshot{Jobs: []*planner.LiveJob{{
		Address: job.Address, Workspace: job.Workspace, User: job.User, Framework: job.Framework,
		State: last, Present: true, Hash: hash, Fields: fields, Applied: job,
	}}}
}

func stringMap(v tftypes.Value) map[string]string {
	m := map[string]string{}
	for key, e := range attributesOf(v) {
		m[key] = stringOr(e, "")
	}
	return m
}
