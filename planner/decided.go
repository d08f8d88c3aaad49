// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Decision is the change that another program planned for one job.
type Decision struct {
	// Change contains the address, cluster, state, action, reason, secrets
	// and declared job.
	Change *Change
	// Before is the applied job, or nil.
	Before *resolve.Job
}

// OtherChanges contains the changes that do not concern jobs in a plan of
// another program.
type OtherChanges struct {
	Storages []StorageChange
	// Definitions maps each action to the number of changed prerequisites and
	// items (resources that only jobs use). Others maps each action to the
	// number of changed resources that are unrelated to jobs. Neither
	// includes [NoOp].
	Definitions, Others map[Action]int
	// Deferred is the number of resources that only a later run can plan.
	Deferred int
}

// StorageChange is the planned change to a storage.
type StorageChange struct {
	Address hclspec.Address
	Action  Action
	// Destroys is set if the change deletes the data in the storage.
	Destroys bool
}

// Any reports whether there are any changes.
func (o *OtherChanges) Any() bool {
	return o != nil && len(o.Storages)+len(o.Definitions)+len(o.Others)+o.Deferred > 0
}

// NewDecided returns a plan for changes whose actions another program has chosen.
// Like [New], NewDecided computes the fields that differ, their causes and the
// totals.
func NewDecided(workspace string, all []Decision, others OtherChanges) *Plan {
	p := &planning{
		o:    Options{Workspace: workspace, Live: map[string]*Snapshot{}},
		plan: &Plan{Workspace: workspace, Others: &others},
	}
	for _, d := range all {
		p.decided(d)
	}
	p.plan.Sums = p.sums()
	p.plan.Inputs = p.inputs()
	return p.plan
}

func (p *planning) decided(d Decision) {
	c := d.Change
	p.add(c)
	if c.Job != nil {
		c.Framework = c.Job.Framework
	}
	if d.Before == nil {
		return
	}
	live := &LiveJob{Address: c.Address, Workspace: p.o.Workspace, Framework: d.Before.Framework, State: c.State, Present: true, Applied: d.Before}
	if p.o.Live[c.Cluster] == nil {
		p.o.Live[c.Cluster] = &Snapshot{}
	}
	p.o.Live[c.Cluster].Jobs = append(p.o.Live[c.Cluster].Jobs, live)
	switch c.Action {
	case Delete:
		c.Framework, c.Replaced = live.Framework, live.Framework
	case Replace:
		c.Replaced = live.Framework
	}
	if c.Job == nil || c.Action == NoOp && !c.Outdated {
		return
	}
	if before := newApplied(live); before != nil {
		c.Fields = fieldChanges(c.Job, before)
		setCauses(c.Fields, c.Job, d.Before)
	}
	if c.Action == Update {
		c.Impact = rescaleImpact(c.Fields, live)
	}
}

// EndImpact returns the impact of ending a job. If again is set, apply then
// creates the job again. EndImpact needs only the job and its state, not the
// live job.
func EndImpact(state JobState, job *resolve.Job, again bool) Impact {
	if state == StateRunning || state == StateStopping {
		i := Impact{Code: ImpactRunningEnds}
		for _, role := range job.TaskRoles {
			i.Tasks += role.Instances
		}
		return i
	}
	return deleteImpact(&LiveJob{State: state, Present: true}, again)
}
