// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Declarer is the front end that declares a job. Job records contain this
// value.
type Declarer string

// The front ends. A plan from one front end never changes the other front
// end's jobs.
const (
	DeclaredByCommandLine Declarer = "openpai"
	DeclaredByTerraform   Declarer = "terraform"
)

// Elsewhere reports whether a different front end declares the job. A job
// without a declarer belongs to any front end that plans the job.
func (j *LiveJob) Elsewhere(by Declarer) bool {
	return j.DeclaredBy != "" && j.DeclaredBy != by
}

// leave returns a no-op change for a job that a different front end declares.
// The reason shows whether the applied content differs from the declaration
// in the current front end.
func leave(job *resolve.Job, live *LiveJob) *Change {
	reason := Reason{Code: ReasonElsewhere, Job: job.Address, Live: liveState(live), DeclaredBy: live.DeclaredBy}
	if live.User != job.User {
		reason.User = live.User
	} else if before := newApplied(live); before != nil {
		reason.Changed = contentChange(&Change{Job: job, Fields: fieldChanges(job, before)}, before)
	}
	return &Change{
		Address: job.Address, Cluster: job.Cluster, Framework: live.Framework, Action: NoOp, State: live.State, Job: job, Secrets: []SecretChange{},
		Reason: reason,
	}
}

// mayTake adds an error and returns false if the jobs have different users,
// because the user of a job never changes.
func (p *planning) mayTake(job *resolve.Job, live *LiveJob) bool {
	if live == nil || live.User == "" || live.User == job.User {
		return true
	}
	p.find(hclspec.OtherUser.At(p.rangeOf(job),
		"%s exists on the cluster %s for the user %q, but this configuration is for the user %q. Use the same user, or destroy the job as %s first.",
		job.Address, job.Cluster, live.User, job.User, live.User))
	return false
}

// nameIsFree adds an error and returns false if a job outside the workspace uses
// the Framework name. live is the live job of the declared job, or nil.
func (p *planning) nameIsFree(s *Snapshot, job *resolve.Job, live *LiveJob) bool {
	for _, other := range s.Jobs {
		if other == live || other.Framework != job.Framework || p.owned(other) {
			continue
		}
		p.find(hclspec.ForeignJob.At(p.rangeOf(job),
			"The cluster %s already has the job %q of the user %q, created by %s. Rename this job, or %s",
			job.Cluster, job.Name, job.User, ownerOf(other), adoptHint(job, other)))
		return false
	}
	return true
}

func adoptHint(job *resolve.Job, other *LiveJob) message.Hint {
	return message.Hint{Kind: message.HintAdopt, Address: job.Address.String(), Job: job.User + "~" + job.Name, Workspace: other.Workspace}
}

func ownerOf(live *LiveJob) string {
	switch {
	case live.Owner != "":
		return live.Owner
	case live.Workspace != "":
		return fmt.Sprintf("the workspace %q", live.Workspace)
	}
	return "an unknown owner"
}

// checkCollisions reports new jobs whose Framework name another job of the
// workspace still uses. The other job was moved, or is not a target.
func (p *planning) checkCollisions() {
	type place struct{ cluster, framework string }
	released := map[place]bool{}
	for _, c := range p.plan.Changes {
		released[place{c.Cluster, c.Replaced}] = true
	}
	for _, c := range p.plan.Changes {
		if (c.Action != Create && c.Action != Replace) || p.o.Offline || released[place{c.Cluster, c.Framework}] {
			continue
		}
		for _, other := range p.o.Live[c.Cluster].Jobs {
			if other.Framework == c.Framework && other.Address != c.Address && p.owned(other) {
				p.find(SameFramework.At(p.rangeOf(c.Job),
					"%s would use the job name %q, but %s already uses that name on the cluster %s. Choose a different name for the new job.",
					c.Address, c.Job.Name, other.Address, c.Cluster))
			}
		}
	}
}

// checkNames reports two declared jobs that would share a Framework.
func (p *planning) checkNames() {
	type place struct{ cluster, framework string }
	holder := map[place]*resolve.Job{}
	for _, job := range p.o.Jobs {
		at := place{job.Cluster, job.Framework}
		first, used := holder[at]
		if !used {
			holder[at] = job
			continue
		}
		p.find(SameFramework.At(p.rangeOf(job),
			"%s and %s both declare the job %q of the user %q on the cluster %s. Rename one of them.",
			first.Address, job.Address, job.Name, job.User, job.Cluster))
	}
}

// movedFrom maps new addresses to old addresses. It omits moved blocks that
// form a cycle.
func (p *planning) movedFrom() map[hclspec.Address]hclspec.Address {
	moves := map[hclspec.Address]hclspec.Address{}
	for _, m := range p.o.Moved {
		if p.declaration(m.From) != nil {
			p.find(MovedStillDeclared.At(p.o.Sources.Range(m.Path),
				"%s was moved to %s, but %s is still declared. Remove the old declaration, or the moved block.", m.From, m.To, m.From))
			continue
		}
		if !leadsTo(moves, m.From, m.To) {
			moves[m.To] = m.From
		}
	}
	return moves
}

// leadsTo reports whether the address to equals from or an earlier address of
// the same job. moves maps each address to the previous address of the same
// job.
func leadsTo(moves map[hclspec.Address]hclspec.Address, from, to hclspec.Address) bool {
	for address, ok := from, true; ok; address, ok = moves[address] {
		if address == to {
			return true
		}
	}
	return false
}
