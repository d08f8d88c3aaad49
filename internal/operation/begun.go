// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// RunState is the progress that a plan shows for a job that the plan ends.
type RunState string

// The values of RunState.
const (
	RunStateNotStarted RunState = "not started"
	RunStateRunning    RunState = "running"
	RunStateFinished   RunState = "finished"
)

// RunStateOf returns the progress of a live job.
func RunStateOf(j *planner.LiveJob) RunState {
	switch {
	case j.State.Finished(), !j.Present:
		return RunStateFinished
	case j.State == planner.StateWaiting, j.Unstarted:
		return RunStateNotStarted
	}
	return RunStateRunning
}

// BegunError is the error for a plan that would end a running job. The job was
// waiting or finished when the plan was reviewed. A BegunError is an
// [ErrStale].
type BegunError struct {
	Address hclspec.Address
	Planned RunState
	// State is the current state of the job. Tasks is the number of running
	// tasks.
	State planner.JobState
	Tasks int
}

func (e *BegunError) Error() string { return e.Title() + "; nothing was applied. Plan again" }

// Title states that the job started, or was run again, after the plan was
// created. It contains the number of running tasks.
func (e *BegunError) Title() string {
	title := fmt.Sprintf("%s started after the plan was created", e.Address)
	if e.Planned == RunStateFinished {
		title = fmt.Sprintf("%s was run again after the plan was created", e.Address)
	}
	if e.Tasks > 0 {
		title += ": " + quantity.Count(e.Tasks, "running task") + " would end"
	}
	return title
}

// Unwrap returns ErrStale.
func (e *BegunError) Unwrap() error { return ErrStale }

// checkBegun fails if a job that the plan ends has started since the review.
// planned is the progress in the plan, or "" if unknown. checkBegun accepts a job
// that has ended since the review, because no running work is lost.
func checkBegun(planned RunState, live *planner.LiveJob) error {
	if live == nil || planned == "" || planned == RunStateRunning {
		return nil
	}
	if now := RunStateOf(live); now == planned || now == RunStateFinished {
		return nil
	}
	return &BegunError{Address: live.Address, Planned: planned, State: live.State, Tasks: live.RunningTasks}
}

// checkBegun fails if a job that the plan deletes or replaces has started
// since the plan was created.
func (p *Plan) checkBegun(now map[string]*planner.Snapshot) error {
	for _, c := range p.Changes {
		if c.Action != planner.Delete && c.Action != planner.Replace {
			continue
		}
		seen := p.Live[c.Cluster]
		if seen == nil || seen.Job(c.Replaced) == nil {
			continue
		}
		before, after := seen.Job(c.Replaced), now[c.Cluster].Job(c.Replaced)
		if err := checkBegun(RunStateOf(before), after); err != nil {
			return err
		}
	}
	return nil
}
