// SPDX-License-Identifier: MPL-2.0

package output

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestTheTableShowsDurationAndStage(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.Local)
	at := func(ago time.Duration) *time.Time {
		then := now.Add(-ago)
		return &then
	}
	failed := cluster.TaskAttempt{State: "FAILED", Started: at(2 * time.Minute), Finished: at(time.Minute), Exit: &exitspec.Record{UserCode: 7, Phrase: "UserError"}}
	running := cluster.TaskAttempt{JobAttempt: 1, State: "RUNNING", Started: at(1234 * time.Millisecond)}
	var many []cluster.TaskAttempt
	for id := range 9 {
		many = append(many, cluster.TaskAttempt{JobAttempt: id, State: "FAILED"})
	}
	retried := running
	retried.Attempt = 1
	tests := map[string]struct {
		status *cluster.Status
		want   string
	}{
		"a running task shows its duration": {
			&cluster.Status{TaskRoles: []cluster.TaskRole{{Name: "w", Tasks: []cluster.Task{{Attempts: []cluster.TaskAttempt{{State: "RUNNING", Started: at(1234 * time.Millisecond)}}}}}}},
			"  TASK  ATTEMPT  STATE    STARTED   TIME  EXIT\n" +
				"  w[0]  1        RUNNING  05:06:05  1s    -\n",
		},
		"the stage of running tasks has a column": {
			&cluster.Status{Sample: &cluster.Sample{Sampled: 16, Running: 1000}, TaskRoles: []cluster.TaskRole{{Name: "w", Tasks: []cluster.Task{
				{Attempts: []cluster.TaskAttempt{failed, {Attempt: 1, State: "RUNNING", Started: at(time.Second), Stage: &stage.Record{Stage: stage.Held, ExitCode: new(7), Until: now.Add(29 * time.Minute)}}}},
				{Index: 1, Attempts: []cluster.TaskAttempt{{State: "RUNNING", Started: at(time.Second)}}},
				{Index: 2, State: "WAITING"},
			}}}},
			"  TASK  ATTEMPT  STATE    STARTED   TIME  EXIT         STAGE\n" +
				"  w[0]  1        FAILED   05:04:07  1m0s  7 UserError  -\n" +
				"  w[0]  2        RUNNING  05:06:06  1s    -            HELD after exit 7, 29m left\n" +
				"  w[1]  1        RUNNING  05:06:06  1s    -            -\n" +
				"  w[2]  -        WAITING  -         -     -            -\n" +
				"  stages: 16 of 1,000 tasks checked\n",
		},
		"the stage contains the reason why a task waits, unless a line shows the reason": {
			&cluster.Status{TaskRoles: []cluster.TaskRole{{Name: "w", Tasks: []cluster.Task{
				{Attempts: []cluster.TaskAttempt{{State: "RUNNING", Started: at(time.Second), Stage: &stage.Record{
					Stage: stage.Fetching, Number: 1, Count: 1, Reason: "the server answered 503 Service Unavailable", Until: now.Add(8 * time.Second), Fetch: &stage.Progress{Source: "http://x/mnist.zip"},
				}}}},
				{Index: 1, Attempts: []cluster.TaskAttempt{{State: "WAITING", Waiting: "not scheduled: Insufficient cpu", Stage: &stage.Record{Stage: stage.Scheduling, Reason: "not scheduled: Insufficient cpu"}}}},
			}}}},
			"  TASK  ATTEMPT  STATE    STARTED   TIME  EXIT  STAGE\n" +
				"  w[0]  1        RUNNING  05:06:06  1s    -     fetching mnist.zip: the server answered 503 Service Unavailable, next try in 8 s\n" +
				"  w[1]  1        WAITING  -         -     -     scheduling\n" +
				"  waiting: w[1]: not scheduled: Insufficient cpu\n",
		},
		"a clock that is ahead does not cause a negative duration": {
			&cluster.Status{TaskRoles: []cluster.TaskRole{{Name: "w", Tasks: []cluster.Task{{Attempts: []cluster.TaskAttempt{
				{State: "RUNNING", Started: at(-2 * time.Second)}, {Attempt: 1, State: "FAILED", Started: at(time.Second), Finished: at(2 * time.Second)},
			}}}}}},
			"  TASK  ATTEMPT  STATE    STARTED   TIME  EXIT\n" +
				"  w[0]  1        RUNNING  05:06:09  0s    -\n" +
				"  w[0]  2        FAILED   05:06:06  0s    -\n",
		},
		"a start on another day has its date": {
			&cluster.Status{TaskRoles: []cluster.TaskRole{{Name: "w", Tasks: []cluster.Task{{Attempts: []cluster.TaskAttempt{{State: "RUNNING", Started: at(24 * time.Hour)}}}}}}},
			"  TASK  ATTEMPT  STATE    STARTED              TIME     EXIT\n" +
				"  w[0]  1        RUNNING  2026-03-03 05:06:07  24h0m0s  -\n",
		},
		"attempts of the job and of the task are distinguished": {
			&cluster.Status{Attempt: 1, TaskRoles: []cluster.TaskRole{{Name: "w", Tasks: []cluster.Task{
				{Attempts: []cluster.TaskAttempt{failed, running, retried}}, {Index: 1, State: "WAITING"},
			}}}},
			"  TASK  JOB ATTEMPT  ATTEMPT  STATE    STARTED   TIME  EXIT\n" +
				"  w[0]  1            1        FAILED   05:04:07  1m0s  7 UserError\n" +
				"  w[0]  2            1        RUNNING  05:06:05  1s    -\n" +
				"  w[0]  2            2        RUNNING  05:06:05  1s    -\n" +
				"  w[1]  -            -        WAITING  -         -     -\n",
		},
		"only the first and the latest of many attempts are shown": {
			&cluster.Status{Attempt: 8, TaskRoles: []cluster.TaskRole{{Name: "w", Tasks: []cluster.Task{{Attempts: many}}}}},
			"  TASK  JOB ATTEMPT  ATTEMPT  STATE   STARTED  TIME  EXIT\n" +
				"  w[0]  1            1        FAILED  -        -     -\n" +
				"  w[0]  ...          3 more                          \n" +
				"  w[0]  5            1        FAILED  -        -     -\n" +
				"  w[0]  6            1        FAILED  -        -     -\n" +
				"  w[0]  7            1        FAILED  -        -     -\n" +
				"  w[0]  8            1        FAILED  -        -     -\n" +
				"  w[0]  9            1        FAILED  -        -     -\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			showTasks(&out, tt.status, now)
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestStatusExplainsTheStateOfAJob(t *testing.T) {
	t.Parallel()
	stop, seven := -210, 7
	tests := map[string]struct {
		status cluster.Status
		want   string
	}{
		"stopped by the user": {
			cluster.Status{Address: "job.a", State: planner.StateStopped, ExitCode: &stop, Phrase: "StopFrameworkRequested"},
			"job.a  STOPPED  by user\n",
		},
		"failed with the user's code": {
			cluster.Status{Address: "job.a", State: planner.StateFailed, UserCode: &seven, Phrase: "PAIRuntimeUnknownFailed"},
			"job.a  FAILED  exit code 7 (PAIRuntimeUnknownFailed)\n",
		},
		"a task that a rescale removed did not fail": {
			cluster.Status{Address: "job.a", State: planner.StateRunning, TaskRoles: []cluster.TaskRole{{Name: "w", Tasks: []cluster.Task{{
				Attempts: []cluster.TaskAttempt{{State: "STOPPED", Exit: cluster.EngineExit(framework.FromCode(framework.CodeDeleteTaskRequested, ""))}},
			}}}}},
			"job.a  RUNNING\n\n" +
				"  TASK  ATTEMPT  STATE    STARTED  TIME  EXIT\n" +
				"  w[0]  1        STOPPED  -        -     removed by rescale\n",
		},
		"submitted in part": {
			cluster.Status{Address: "job.a", State: planner.StateWaiting, Notes: []string{"one"}, Stalled: cluster.PartlySubmitted},
			"job.a  WAITING\n  note: one\n  note: its submission is incomplete; \"openpai apply\" continues the submission, whereas \"openpai destroy\" removes the job\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			Status(&out, false, &tt.status)
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
