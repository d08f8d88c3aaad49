// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// New compares the declared jobs with the live state. If a live job is not in
// Options.Jobs, the plan deletes the job. Options.Jobs must therefore contain
// all declared jobs, even jobs that could not be resolved.
func New(o Options) *Plan {
	p := &planning{
		o:       o,
		plan:    &Plan{Workspace: o.Workspace, Offline: o.Offline, Targets: o.Targets, Declarer: o.Declarer},
		secrets: secretReader{value: o.SecretValue, seen: map[SecretID]secretValue{}},
		claimed: map[*LiveJob]bool{},
	}
	p.moves = p.movedFrom()
	p.checkNames()
	p.checkAddresses()
	if !o.Destroy {
		for _, job := range o.Jobs {
			p.add(p.declared(job))
		}
	}
	if !o.Offline {
		p.deletions()
		p.checkCollisions()
	}
	p.plan.Sums = p.sums()
	p.plan.Inputs = p.inputs()
	p.plan.Quotas = p.quotas()
	p.checkQuotas()
	p.plan.Diagnostics = hclspec.Sort(p.plan.Diagnostics)
	return p.plan
}

// planning is the state of one call to New.
type planning struct {
	o       Options
	plan    *Plan
	moves   map[hclspec.Address]hclspec.Address // maps new addresses to old addresses
	secrets secretReader
	// claimed contains the live jobs that match a declared job.
	claimed map[*LiveJob]bool
}

func (p *planning) add(c *Change) {
	if c != nil {
		p.plan.Changes = append(p.plan.Changes, c)
	}
}

func (p *planning) find(d *hcl.Diagnostic) { p.plan.Diagnostics = append(p.plan.Diagnostics, d) }

func (p *planning) rangeOf(job *resolve.Job) hcl.Range {
	if job.Declared == nil {
		return hcl.Range{}
	}
	return p.o.Sources.Range(job.Declared.Path)
}

// declared returns nil if the job is not a target or cannot be planned.
func (p *planning) declared(job *resolve.Job) *Change {
	if p.o.Offline {
		if !p.targeted(job) {
			return nil
		}
		return p.offline(job)
	}
	if p.o.Live[job.Cluster] == nil && !p.targeted(job) {
		return nil // the caller read only the clusters of the targets
	}
	snapshot := p.snapshot(job.Cluster)
	live := p.liveJob(snapshot, job)
	if live != nil {
		p.claimed[live] = true
	}
	if !p.targeted(job) {
		return nil
	}
	if live != nil && live.Elsewhere(p.o.Declarer) {
		return leave(job, live)
	}
	if !p.mayTake(job, live) || !p.nameIsFree(snapshot, job, live) {
		return nil
	}
	var c *Change
	if live == nil {
		c = p.create(job, nil, ReasonAbsent)
		c.State = StateAbsent
	} else {
		c = p.compare(job, live, snapshot.SecretKey)
	}
	if c.Action == Create || c.Action == Replace {
		c.Reason.RepeatOf = p.o.RepeatOf[job.Address]
	}
	p.checkPermissions(job, snapshot, c.Action)
	if c.Secrets == nil {
		c.Secrets = p.secretChanges(job, snapshot.SecretKey, nil)
	}
	if snapshot.UnreadableKey != "" && len(job.Secrets) > 0 {
		p.find(UnreadableSecretKey.At(p.rangeOf(job),
			"%s cannot be read, so the plan does not compare the secret versions of %s. %s", snapshot.UnreadableKey, job.Address, message.Hint{Kind: message.HintRepairKey, Sentence: true}))
	}
	return p.finish(c)
}

// offline returns the change to a job whose live state is unknown.
func (p *planning) offline(job *resolve.Job) *Change {
	p.checkPermissions(job, nil, NoOp)
	c := p.create(job, nil, ReasonNotCompared)
	c.State = StateUnknown
	c.Secrets = p.secretChanges(job, nil, nil)
	for i := range c.Secrets {
		c.Secrets[i].State = SecretNotChecked
	}
	return p.finish(c)
}

// finish checks prevent_destroy and renders the job.
func (p *planning) finish(c *Change) *Change {
	if c.Action == Replace && c.Job.PreventDestroy {
		p.find(DestroyPrevented.At(p.rangeOf(c.Job),
			"The plan replaces %s (%s), but the job sets prevent_destroy. Undo the change, or remove prevent_destroy first.", c.Address, c.Reason))
	}
	p.render(c)
	return c
}

// snapshot returns the live state of a cluster. It panics if the caller did
// not read the cluster.
func (p *planning) snapshot(cluster string) *Snapshot {
	s := p.o.Live[cluster]
	if s == nil {
		panic("planner: cluster " + cluster + " was not read")
	}
	return s
}

func (p *planning) owned(live *LiveJob) bool {
	return live.Owner == "" && live.Workspace == p.o.Workspace
}

// liveJob returns the live job at the current address or at an address before a
// move.
func (p *planning) liveJob(s *Snapshot, job *resolve.Job) *LiveJob {
	for address, ok := job.Address, true; ok; address, ok = p.moves[address] {
		for _, live := range s.Jobs {
			if live.Address == address && p.owned(live) {
				return live
			}
			if live.Unreadable != nil && live.Unreadable.Unknown && live.Framework == job.Framework {
				return live
			}
		}
	}
	return nil
}

// declaration returns the declared job with the address, or nil.
func (p *planning) declaration(address hclspec.Address) *resolve.Job {
	for _, job := range p.o.Jobs {
		if job.Address == address {
			return job
		}
	}
	return nil
}
