// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"reflect"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// place identifies a job on a cluster.
type place struct{ cluster, framework string }

// basis is the part of a live job on which a plan depends. It excludes task
// counts and progress within a phase.
type basis struct {
	address, workspace, user, owner string
	uid, hash                       string
	phase                           phase
	unstarted                       bool
	drift                           []planner.Drift
	secretVersions                  map[string]string
	declaredBy                      planner.Declarer
}

// phase is the part of a job's progress that affects a plan.
type phase int

const (
	phaseThere    phase = iota // running, or finished and not changed
	phaseFinished              // with or without a Framework
	phaseGone                  // disappeared without an outcome
)

// holds reports whether the current live state would lead to the same plan.
func (p *Plan) holds(now map[string]*planner.Snapshot) bool {
	for name, before := range p.Live {
		after := now[name]
		if after == nil || !reflect.DeepEqual(before.Permissions, after.Permissions) {
			return false
		}
	}
	return reflect.DeepEqual(p.bases(p.Live), p.bases(now))
}

// bases returns the basis of each live job on which the plan depends.
func (p *Plan) bases(live map[string]*planner.Snapshot) map[place]basis {
	changes := p.changes()
	all := map[place]basis{}
	for name, s := range live {
		for _, job := range s.Jobs {
			at := place{name, job.Framework}
			c, concerned := changes[at]
			switch {
			case concerned && c.Reason.Code == planner.ReasonUnsupervised:
				all[at] = unsupervisedBasis(job)
			case concerned:
				all[at] = newBasis(job, c.Action)
			case len(p.Targets) == 0 && job.Workspace == p.Workspace && !job.Elsewhere(p.Declarer):
				all[at] = newBasis(job, "")
			}
		}
	}
	return all
}

// changes maps each affected Framework to its change.
func (p *Plan) changes() map[place]*planner.Change { return changesOf(p.Plan) }

func changesOf(p *planner.Plan) map[place]*planner.Change {
	all := map[place]*planner.Change{}
	for _, c := range p.Changes {
		for _, framework := range []string{c.Replaced, c.Framework} {
			if at := (place{c.Cluster, framework}); all[at] == nil || all[at].Action == planner.NoOp {
				all[at] = c
			}
		}
	}
	return all
}

// unsupervisedBasis returns the basis of a job. It ignores a missing
// supervisor if the job has no other drift. If a command was killed, its
// supervisor may start after the plan was created. The planned change then
// has no effect, because the job has a supervisor or has ended.
func unsupervisedBasis(job *planner.LiveJob) basis {
	seen := *job
	if reflect.DeepEqual(job.Drift, []planner.Drift{planner.SupervisorGone}) {
		seen.Drift = nil
	}
	b := newBasis(&seen, planner.Update)
	if job.Present {
		b.phase = phaseThere
	}
	return b
}

func newBasis(job *planner.LiveJob, action planner.Action) basis {
	b := basis{address: string(job.Address), workspace: job.Workspace, user: job.User, owner: job.Owner, declaredBy: job.DeclaredBy}
	if action == planner.Delete {
		b.uid = job.UID
		return b
	}
	b.hash, b.unstarted, b.secretVersions = job.Hash, job.Unstarted, job.SecretVersions
	finished := job.State.Finished() || !job.Present && job.State == planner.StateUnknown
	switch {
	case !job.Present && !finished:
		b.phase = phaseGone
	case finished && action != planner.NoOp:
		b.phase = phaseFinished
	}
	if action != planner.NoOp {
		b.uid = job.UID
	}
	if len(job.Drift) > 0 && (action == planner.NoOp || action == planner.Update) {
		b.drift = job.Drift
	}
	return b
}
