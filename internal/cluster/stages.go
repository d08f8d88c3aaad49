// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"context"
	"reflect"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// StageSource is a cluster whose Status omits the stages of running tasks,
// because stages need more requests.
type StageSource interface {
	// AddStages adds the stages of running tasks to the statuses of jobs. If
	// there are many running tasks, it reads only a sample. A stage that cannot
	// be read remains unknown.
	AddStages(ctx context.Context, statuses ...*Status)
}

// AddStages adds the stages that the cluster's Status does not include.
func AddStages(ctx context.Context, c Cluster, statuses ...*Status) {
	if source, ok := c.(StageSource); ok {
		source.AddStages(ctx, slices.DeleteFunc(slices.Clone(statuses), func(st *Status) bool { return st == nil || st.State.Finished() })...)
	}
}

// Latest returns the latest attempt, or nil before the first attempt.
func (t *Task) Latest() *TaskAttempt {
	if len(t.Attempts) == 0 {
		return nil
	}
	return &t.Attempts[len(t.Attempts)-1]
}

// WaitingStage returns the stage of a waiting task, or nil for a task that runs
// its commands or has ended.
func (t *Task) WaitingStage() *stage.Record {
	a := t.Latest()
	if a == nil || a.Stage == nil || a.Stage.Stage == stage.Commands {
		return nil
	}
	if a.Exit != nil && a.Stage.Stage != stage.Scheduling { // the next attempt is waiting
		return nil
	}
	return a.Stage
}

// CommonStage returns the stage records of the waiting tasks in the most
// common stage. It ignores tasks whose stage equals except.
func (r *TaskRole) CommonStage(except stage.Name) []*stage.Record {
	in := map[stage.Name][]*stage.Record{}
	var most stage.Name
	for i := range r.Tasks {
		record := r.Tasks[i].WaitingStage()
		if record == nil || record.Stage == except {
			continue
		}
		in[record.Stage] = append(in[record.Stage], record)
		if len(in[record.Stage]) > len(in[most]) {
			most = record.Stage
		}
	}
	return in[most]
}

// sameStates reports whether two statuses are identical, ignoring progress
// within stages.
func sameStates(a, b *Status) bool {
	if a == nil || b == nil {
		return a == b
	}
	return reflect.DeepEqual(withoutProgress(a), withoutProgress(b))
}

func withoutProgress(st *Status) *Status {
	plain := *st
	plain.TaskRoles = slices.Clone(st.TaskRoles)
	for r := range plain.TaskRoles {
		role := &plain.TaskRoles[r]
		role.Tasks = slices.Clone(role.Tasks)
		for i := range role.Tasks {
			task := &role.Tasks[i]
			task.Attempts = slices.Clone(task.Attempts)
			for k := range task.Attempts {
				a := &task.Attempts[k]
				if s := a.Stage; s != nil {
					a.Stage = &stage.Record{Stage: s.Stage, Step: s.Step, Number: s.Number, Event: s.Event, Reason: s.Reason}
				}
			}
		}
	}
	return &plain
}
