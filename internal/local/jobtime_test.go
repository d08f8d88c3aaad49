// SPDX-License-Identifier: MPL-2.0

package local

import (
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestRetriesAreVisibleAttempts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("again", newRole("worker", "echo attempt $FC_FRAMEWORK_ATTEMPT_ID; exit 3"))
	job.JobRetryCount = 2
	w.apply(job)
	st := w.finished(job)
	attempts := st.TaskRoles[0].Tasks[0].Attempts
	if st.Retries != 2 || len(attempts) != 3 {
		t.Fatalf("%d retries, %d attempts: %+v", st.Retries, len(attempts), attempts)
	}
	for i, a := range attempts {
		if a.JobAttempt != i || a.State != string(planner.StateFailed) || a.Exit == nil || a.Exit.UserCode != 3 {
			t.Errorf("attempt %d: %+v", i, a)
		}
	}
}

func TestATaskWithoutGangIsRetriedAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	role := newRole("worker", "[ $FC_TASK_ATTEMPT_ID = 2 ]")
	role.TaskRetryCount = 5
	job := newJob("alone", role)
	job.GangAllocation = false
	w.apply(job)
	st := w.finished(job)
	if attempts := st.TaskRoles[0].Tasks[0].Attempts; st.State != planner.StateSucceeded || st.Retries != 0 || len(attempts) != 3 {
		t.Fatalf("state %s, %d job retries, attempts %+v", st.State, st.Retries, attempts)
	}
}

func TestCompletionPoliciesEndTheJob(t *testing.T) {
	t.Parallel()
	master := func(script string) *resolve.TaskRole {
		r := newRole("master", script)
		r.MinSucceeded = 1
		return r
	}
	service := func(script string) *resolve.TaskRole {
		r := newRole("server", script)
		r.Instances, r.MinFailed = 2, -1
		return r
	}
	for name, test := range map[string]struct {
		roles  []*resolve.TaskRole
		state  planner.JobState
		server string // state of its tasks
	}{
		"the master's success ends the servers": {
			[]*resolve.TaskRole{master("exit 0"), service("sleep 300")}, planner.StateSucceeded, "STOPPED",
		},
		"the master's failure ends the servers": {
			[]*resolve.TaskRole{master("exit 1"), service("sleep 300")}, planner.StateFailed, "STOPPED",
		},
		"the job succeeds when all tasks completed without reaching a limit": {
			[]*resolve.TaskRole{service("exit 1")}, planner.StateSucceeded, "FAILED",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			job := newJob("policy", test.roles...)
			w.apply(job)
			st := w.finished(job)
			if st.State != test.state {
				t.Errorf("state %s, want %s", st.State, test.state)
			}
			for _, task := range st.TaskRoles[len(test.roles)-1].Tasks {
				if task.State != test.server {
					t.Errorf("server task %d is %s, want %s", task.Index, task.State, test.server)
				}
			}
		})
	}
}

func TestStopForwardsTheSignalAndRunsToTheEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("trap", newRole("worker", `trap 'echo ending; exit 0' TERM; echo up; while :; do sleep 0.05; done`))
	w.apply(job)
	w.awaitOutput(job, "worker", 0, "up")
	if err := w.Stop(w.ctx, job.Framework); err != nil {
		t.Fatal(err)
	}
	st := w.finished(job)
	if st.State != planner.StateStopped || *st.ExitCode != framework.CodeStopRequested {
		t.Errorf("status %+v", st)
	}
	if got := w.output(job, "worker", 0); !strings.Contains(got, "ending\n") {
		t.Errorf("the trap did not run: %q", got)
	}
}

func TestStopKillsAfterTheGracePeriod(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	role := newRole("worker", `trap '' TERM; echo up; while :; do sleep 0.05; done`)
	role.StopGraceSeconds = 1
	job := newJob("stubborn", role)
	w.apply(job)
	w.awaitOutput(job, "worker", 0, "up")
	began := time.Now()
	if err := w.Stop(w.ctx, job.Framework); err != nil {
		t.Fatal(err)
	}
	st := w.finished(job)
	if took := time.Since(began); took < time.Second {
		t.Errorf("the task ended after %s, before the end of the grace period", took)
	}
	if st.State != planner.StateStopped {
		t.Errorf("state %s", st.State)
	}
}
