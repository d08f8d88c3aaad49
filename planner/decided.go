package planner

import (
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Decision is what another program has planned for one job.
type Decision struct {
	// Change has the address, the cluster, the state, the action and its reason,
	// the secrets, and the job that is wanted.
	Change *Change
	// Before is the job as applied, nil for none.
	Before *resolve.Job
}

// OtherChanges are those of a plan of another program that are no jobs.
type OtherChanges struct {
	Storages []StorageChange
	// Definitions counts the prerequisites and items that only jobs use, Others the
	// resources that have nothing to do with jobs. Neither has [NoOp].
	Definitions, Others map[Action]int
	// Deferred is the number of resources that are planned later.
	Deferred int
}

// StorageChange is what happens to a storage.
type StorageChange struct {
	Address hclspec.Address
	Action  Action
	// Destroys says that what the storage holds is deleted.
	Destroys bool
}

// Any reports whether anything changes.
func (o *OtherChanges) Any() bool {
	return o != nil && len(o.Storages)+len(o.Definitions)+len(o.Others)+o.Deferred > 0
}

// NewDecided returns a plan that another program made: the fields that differ,
// their causes and the sums are found as in [New], the actions are given.
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

// EndImpact returns what the end of a job does to running work when only its
// state is known.
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
