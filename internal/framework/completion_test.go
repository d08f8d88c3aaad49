// SPDX-License-Identifier: MPL-2.0

package framework

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// ended returns a task that completed some seconds after [start].
func ended(index int32, code int, seconds int) TaskStatus {
	at := start.Add(time.Duration(seconds) * time.Second)
	return TaskStatus{
		Index: index, State: StateCompleted, StartTime: start, TransitionTime: at, CompletionTime: &at,
		AttemptStatus: TaskAttemptStatus{CompletionStatus: FromExit(code, "", nil)},
	}
}

func running(index int32) TaskStatus {
	return TaskStatus{Index: index, State: StateAttemptRunning, StartTime: start, TransitionTime: start}
}

func role(name string, tasks, minFailed, minSucceeded int32) TaskRole {
	return TaskRole{Name: name, TaskNumber: tasks, FrameworkAttemptCompletionPolicy: CompletionPolicy{minFailed, minSucceeded}}
}

func statuses(name string, tasks ...TaskStatus) TaskRoleStatus {
	return TaskRoleStatus{Name: name, TaskStatuses: tasks}
}

func deleting(t TaskStatus) TaskStatus {
	t.DeletionPending = true
	return t
}

func TestTheCompletionPolicyEndsTheAttempt(t *testing.T) {
	t.Parallel()
	type outcome struct {
		Done    bool
		Code    int32
		Phrase  string
		Message string // of the trigger
		Role    string
		Index   int32
	}
	const allDone = " and no user specified conditions in FrameworkAttemptCompletionPolicy have ever been triggered"
	tests := map[string]struct {
		spec  Spec
		tasks []TaskRoleStatus
		want  outcome
	}{
		"a request to stop completes the attempt immediately, without a trigger": {
			Spec{ExecutionType: ExecutionStop, TaskRoles: []TaskRole{role("worker", 1, 1, 1)}},
			[]TaskRoleStatus{statuses("worker", ended(0, 7, 1))},
			outcome{true, -210, "StopFrameworkRequested", "", "", 0},
		},
		"the failed task that reaches the count of its role is the trigger": {
			Spec{TaskRoles: []TaskRole{role("worker", 3, 2, -1)}},
			[]TaskRoleStatus{statuses("worker", ended(0, 7, 5), running(1), ended(2, 8, 3))},
			outcome{true, 7, phraseUnrecognized, "FailedTaskCount 2 has reached MinFailedTaskCount 2 in the TaskRole", "worker", 0},
		},
		"one failure is not enough if two are required": {
			Spec{TaskRoles: []TaskRole{role("worker", 2, 2, -1)}},
			[]TaskRoleStatus{statuses("worker", ended(0, 7, 5), running(1))},
			outcome{},
		},
		"the succeeded task that reaches the count of its role is the trigger": {
			Spec{TaskRoles: []TaskRole{role("master", 1, 1, 1), role("worker", 2, -1, -1)}},
			[]TaskRoleStatus{statuses("master", ended(0, 0, 1)), statuses("worker", running(0), running(1))},
			outcome{true, 0, "Succeeded", "SucceededTaskCount 1 has reached MinSucceededTaskCount 1 in the TaskRole", "master", 0},
		},
		"the earliest takes precedence, regardless of the order of roles": {
			Spec{TaskRoles: []TaskRole{role("a", 1, 1, 1), role("b", 1, 1, 1)}},
			[]TaskRoleStatus{statuses("a", ended(0, 9, 20)), statuses("b", ended(0, 0, 10))},
			outcome{true, 0, "Succeeded", "SucceededTaskCount 1 has reached MinSucceededTaskCount 1 in the TaskRole", "b", 0},
		},
		"counts are never summed across roles": {
			Spec{TaskRoles: []TaskRole{role("a", 2, 2, -1), role("b", 2, 2, -1)}},
			[]TaskRoleStatus{statuses("a", ended(0, 7, 1), running(1)), statuses("b", ended(0, 7, 2), running(1))},
			outcome{},
		},
		"all tasks failed and no count was reached: success": {
			Spec{TaskRoles: []TaskRole{role("worker", 2, -1, -1)}},
			[]TaskRoleStatus{statuses("worker", ended(0, 7, 9), ended(1, 7, 4))},
			outcome{true, 0, "Succeeded", "CompletedTaskCount 2 has reached TotalTaskCount 2" + allDone, "worker", 0},
		},
		"0 disables a rule, like -1": {
			Spec{TaskRoles: []TaskRole{role("worker", 2, 0, 0)}},
			[]TaskRoleStatus{statuses("worker", ended(0, 7, 1), running(1))},
			outcome{},
		},
		"a Framework without tasks never completes": {
			Spec{TaskRoles: []TaskRole{role("worker", 0, 1, 1)}}, nil, outcome{},
		},
		"an attempt waits for tasks that do not exist yet": {
			Spec{TaskRoles: []TaskRole{role("a", 1, -1, -1), role("b", 1, -1, -1)}},
			[]TaskRoleStatus{statuses("a", ended(0, 0, 1))}, outcome{},
		},
		"a task that is being deleted never counts": {
			Spec{TaskRoles: []TaskRole{role("worker", 1, 1, -1)}},
			[]TaskRoleStatus{statuses("worker", running(0), deleting(ended(1, 7, 1)))}, outcome{},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, done := Complete(&tt.spec, &AttemptStatus{TaskRoleStatuses: tt.tasks})
			got := outcome{Done: done}
			if c != nil {
				got.Code, got.Phrase = c.Code, c.Phrase
				if c.Trigger != nil {
					got.Message, got.Role, got.Index = c.Trigger.Message, c.Trigger.TaskRoleName, c.Trigger.TaskIndex
				}
				if c.Pod != nil {
					t.Error("the status of a Framework contains the status of a Pod")
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("outcome (-want +got)\n%s", diff)
			}
		})
	}
}

func TestCompleteDoesNotChangeTheStatusOfTheTask(t *testing.T) {
	t.Parallel()
	task := ended(0, 7, 1)
	Complete(&Spec{TaskRoles: []TaskRole{role("worker", 1, 1, 1)}}, &AttemptStatus{TaskRoleStatuses: []TaskRoleStatus{statuses("worker", task)}})
	if c := task.AttemptStatus.CompletionStatus; c.Pod == nil || c.Trigger != nil {
		t.Errorf("the task's own status changed: %+v", c)
	}
}
