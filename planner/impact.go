// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"encoding/json"
	"strconv"
)

// Impact is the effect of a change on running work. Views format this data.
type Impact struct {
	Code ImpactCode
	// Tasks is the number of running tasks that end. If this number is
	// unknown, Tasks is an upper bound.
	Tasks int
	// Rescaled lists the task roles whose number of tasks changes in place.
	Rescaled []Rescaled
	// OthersRunning is set if there are running tasks that the in-place
	// change does not affect.
	OthersRunning bool
}

// None reports whether the change does not affect any running work.
func (i Impact) None() bool { return i.Code == ImpactNone }

// ImpactCode is one kind of impact.
type ImpactCode string

// The kinds of impact.
const (
	ImpactNone         ImpactCode = ""
	ImpactRecordLost   ImpactCode = "record-lost"   // only the record of an ended job exists
	ImpactTasksEnd     ImpactCode = "tasks-end"     // Tasks
	ImpactWaitsAgain   ImpactCode = "waits-again"   // no task is running yet
	ImpactNeverStarts  ImpactCode = "never-starts"  // no task is running yet
	ImpactTasksRescale ImpactCode = "tasks-rescale" // Rescaled
	ImpactRunningEnds  ImpactCode = "running-ends"  // the job is running; Tasks is an upper limit
)

// ImpactCodes lists all codes except ImpactNone, for view tests.
func ImpactCodes() []ImpactCode {
	return []ImpactCode{ImpactRecordLost, ImpactTasksEnd, ImpactWaitsAgain, ImpactNeverStarts, ImpactTasksRescale, ImpactRunningEnds}
}

// Rescaled is a change to the number of tasks in one task role.
type Rescaled struct {
	TaskRole string
	// By is the change in the number of tasks: positive for added tasks,
	// negative for tasks that end. If Known is not set, the change is
	// unknown.
	By    int
	Known bool
}

// deleteImpact returns the impact of a deletion. again is set if apply then
// creates the job again.
func deleteImpact(live *LiveJob, again bool) Impact {
	switch {
	case !live.Present && finished(live):
		return Impact{Code: ImpactRecordLost}
	case !live.Present || finished(live) || live.Unstarted:
		return Impact{}
	case live.RunningTasks > 0:
		return Impact{Code: ImpactTasksEnd, Tasks: live.RunningTasks}
	case live.State == StateWaiting && again:
		return Impact{Code: ImpactWaitsAgain}
	case live.State == StateWaiting:
		return Impact{Code: ImpactNeverStarts}
	}
	return Impact{}
}

// rescaleImpact returns the impact of changing the number of tasks in place.
func rescaleImpact(fields []FieldChange, live *LiveJob) Impact {
	var roles []Rescaled
	for _, f := range fields {
		if !isInstances(f.Path) {
			continue
		}
		role, _ := elementKey(string(f.Path), "task_role")
		before, okBefore := integer(f.Before)
		after, okAfter := integer(f.After)
		rescaled := Rescaled{TaskRole: role}
		if okBefore && okAfter {
			rescaled.By, rescaled.Known = after-before, true
		}
		roles = append(roles, rescaled)
	}
	if roles == nil {
		return Impact{}
	}
	return Impact{Code: ImpactTasksRescale, Rescaled: roles, OthersRunning: live.RunningTasks > 0}
}

func integer(value any) (int, bool) {
	n, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(n.String())
	return i, err == nil
}
