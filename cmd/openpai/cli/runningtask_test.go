// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestTheOnlyRunningJobIsChosen(t *testing.T) {
	t.Parallel()
	done := operation.Job{Address: "job.done", State: planner.StateSucceeded}
	one := operation.Job{Address: "job.one", State: planner.StateRunning}
	two := operation.Job{Address: "job.two", State: planner.StateWaiting}
	for name, c := range map[string]struct {
		jobs []operation.Job
		want string // address, or part of the error
	}{
		"one that runs":    {[]operation.Job{done, one}, "job.one"},
		"none that runs":   {[]operation.Job{done, done}, "no job is running"},
		"one that ended":   {[]operation.Job{done}, "job.done is not running (SUCCEEDED)"},
		"several that run": {[]operation.Job{one, done, two}, "job.one, job.two"},
	} {
		job, err := onlyRunning(c.jobs)
		if job != nil && string(job.Address) != c.want || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v, error %v", name, job, err)
		}
	}
}

// statusCounter is a cluster that counts the calls to Status.
type statusCounter struct {
	cluster.Cluster
	status *cluster.Status
	reads  int
}

func (c *statusCounter) Status(context.Context, string) (*cluster.Status, error) {
	c.reads++
	return c.status, nil
}

func TestATaskCommandReadsTheStatusAtMostOnce(t *testing.T) {
	t.Parallel()
	notFound := fmt.Errorf("it does not run: %w", cluster.ErrNotFound)
	for name, c := range map[string]struct {
		task    runningTask
		servers int   // number of ps tasks; with 0, worker is the job's only role
		failure error // of the cluster
		reads   int
		want    string // the error
	}{
		"with a role":                      {runningTask{role: "worker"}, 1, nil, 0, ""},
		"without a role":                   {runningTask{}, 0, nil, 1, ""},
		"without a role, among several":    {runningTask{}, 1, nil, 1, "job.train has the task roles worker, ps; choose one with --role"},
		"a missing task":                   {runningTask{role: "worker", index: 3}, 1, notFound, 1, "task worker[3] does not exist: job.train has worker[0] to worker[2], ps[0]."},
		"a task that is not running":       {runningTask{role: "worker"}, 1, notFound, 1, "job.train: it does not run: not found"},
		"a task that could not be reached": {runningTask{role: "worker"}, 1, context.DeadlineExceeded, 0, "job.train: context deadline exceeded"},
		"a misspelled role":                {runningTask{role: "workr"}, 1, notFound, 1, `task workr[0] does not exist: job.train has worker[0] to worker[2], ps[0]. Did you mean "worker"?`},
	} {
		on := &statusCounter{status: statusWith("job.train", 3, c.servers)}
		if c.servers == 0 {
			on.status.TaskRoles = on.status.TaskRoles[:1]
		}
		job := &operation.Job{Address: "job.train", Cluster: on}
		err := c.task.complete(t.Context(), job, io.Discard)
		if err == nil && c.failure != nil {
			err = c.task.explain(t.Context(), job, c.failure)
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want || on.reads != c.reads {
			t.Errorf("%s: error %q, want %q; %d reads, want %d", name, got, c.want, on.reads, c.reads)
		}
	}
}

func TestHeldThenRunningTasksAreChosenByDefault(t *testing.T) {
	t.Parallel()
	ended := cluster.Task{Index: 0, State: "SUCCEEDED"}
	runs := cluster.Task{Index: 1, State: "RUNNING", Attempts: []cluster.TaskAttempt{{State: "RUNNING", Stage: &stage.Record{Stage: stage.Commands}}}}
	held := cluster.Task{Index: 2, State: "RUNNING", Attempts: []cluster.TaskAttempt{{State: "RUNNING", Stage: &stage.Record{Stage: stage.Held}}}}
	for name, c := range map[string]struct {
		task  runningTask
		tasks []cluster.Task
		index int
		note  string
	}{
		"a held task":                            {runningTask{index: -1}, []cluster.Task{ended, runs, held}, 2, "Note: using worker[2], the first held task.\n"},
		"a running task":                         {runningTask{role: "worker", index: -1}, []cluster.Task{ended, runs}, 1, "Note: using worker[1], the first running task.\n"},
		"the only task":                          {runningTask{index: -1}, []cluster.Task{ended}, 0, ""},
		"the first task if no task runs":         {runningTask{index: -1}, []cluster.Task{ended, {Index: 1, State: "FAILED"}}, 0, ""},
		"the chosen task, although it has ended": {runningTask{index: 0}, []cluster.Task{ended, runs}, 0, ""},
	} {
		job := &operation.Job{Address: "job.train", Cluster: &statusCounter{status: &cluster.Status{TaskRoles: []cluster.TaskRole{{Name: "worker", Tasks: c.tasks}}}}}
		var note strings.Builder
		err := c.task.complete(t.Context(), job, &note)
		if err != nil || c.task.role != "worker" || c.task.index != c.index || note.String() != c.note {
			t.Errorf("%s: %s[%d], note %q, error %v", name, c.task.role, c.task.index, note.String(), err)
		}
	}
}
