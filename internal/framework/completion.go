// SPDX-License-Identifier: MPL-2.0

package framework

import (
	"fmt"
	"slices"
	"time"
)

// Complete reports whether a Framework attempt is over, and returns its completion
// status. It checks the completed tasks in order of completion time. The first
// matching rule applies:
//
//  1. the user requested a stop: code -210;
//  2. a role has MinFailedTaskCount failed tasks: the status of the last failed
//     task;
//  3. a role has MinSucceededTaskCount succeeded tasks: the status of the last
//     succeeded task;
//  4. every task is complete: success, even if some tasks failed.
//
// Counts are per role. A number below 1 disables its rule. Complete ignores the
// results of tasks that are being deleted. A Framework without tasks never
// completes. Complete panics if st contains compressed roles that cannot be
// decoded; see [AttemptStatus.Roles].
func Complete(spec *Spec, st *AttemptStatus) (*CompletionStatus, bool) {
	if spec.ExecutionType == ExecutionStop {
		return FromCode(CodeStopRequested, "User has requested to stop the Framework"), true
	}
	roles, err := st.Roles()
	if err != nil {
		panic("framework: " + err.Error())
	}
	ended, total := endedTasks(spec, roles)
	counts := map[countKey]int32{}
	for _, task := range ended {
		key := countKey{task.role, task.status.Type.Name}
		counts[key]++
		if c := task.reaches(counts[key]); c != nil {
			return c, true
		}
	}
	if total == 0 || len(ended) < total {
		return nil, false
	}
	c := FromCode(CodeSucceeded, "")
	last := ended[len(ended)-1]
	c.Trigger = last.trigger(fmt.Sprintf("CompletedTaskCount %d has reached TotalTaskCount %d and no user specified conditions in FrameworkAttemptCompletionPolicy have ever been triggered", len(ended), total))
	return c, true
}

// endedTask is a completed task, with the completion policy of the role.
type endedTask struct {
	role   string
	policy CompletionPolicy
	index  int32
	at     time.Time
	status *CompletionStatus
}

// endedTasks returns the completed tasks in order of completion, and the
// number of tasks in the spec.
func endedTasks(spec *Spec, roles []TaskRoleStatus) (ended []endedTask, total int) {
	for _, role := range spec.TaskRoles {
		total += int(role.TaskNumber)
		i := slices.IndexFunc(roles, func(s TaskRoleStatus) bool { return s.Name == role.Name })
		if i < 0 {
			continue
		}
		for _, task := range roles[i].TaskStatuses {
			if task.State != StateCompleted || task.DeletionPending || task.AttemptStatus.CompletionStatus == nil {
				continue
			}
			ended = append(ended, endedTask{role.Name, role.FrameworkAttemptCompletionPolicy, task.Index, completionTime(task), task.AttemptStatus.CompletionStatus})
		}
	}
	slices.SortStableFunc(ended, func(a, b endedTask) int { return a.at.Compare(b.at) })
	return ended, total
}

func completionTime(t TaskStatus) time.Time {
	if t.CompletionTime == nil {
		return t.TransitionTime
	}
	return *t.CompletionTime
}

// countKey identifies a counter for the failures or successes of a role.
type countKey struct {
	role    string
	outcome CompletionTypeName
}

// reaches returns the completion status if count reaches the limit in the policy,
// otherwise nil. count is the number of tasks in the role that have the same
// result as e, including e.
func (e endedTask) reaches(count int32) *CompletionStatus {
	limit, word := e.policy.MinFailedTaskCount, "Failed"
	if e.status.Type.Name == Succeeded {
		limit, word = e.policy.MinSucceededTaskCount, "Succeeded"
	}
	if limit < 1 || count < limit {
		return nil
	}
	c := *e.status
	c.Pod = nil
	c.Trigger = e.trigger(fmt.Sprintf("%sTaskCount %d has reached Min%sTaskCount %d in the TaskRole", word, count, word, limit))
	return &c
}

func (e endedTask) trigger(message string) *CompletionTrigger {
	return &CompletionTrigger{Message: message, TaskRoleName: e.role, TaskIndex: e.index}
}
