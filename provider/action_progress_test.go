// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestEachChangeOfAJobIsSentOnce(t *testing.T) {
	t.Parallel()
	status := func(state planner.JobState, stages ...*stage.Record) *cluster.Status {
		role := cluster.TaskRole{Name: "worker"}
		for i, r := range stages {
			role.Tasks = append(role.Tasks, cluster.Task{Index: i, Attempts: []cluster.TaskAttempt{{Stage: r}}})
		}
		return &cluster.Status{State: state, TaskRoles: []cluster.TaskRole{role}}
	}
	fetching := func(bytes int64) *stage.Record {
		return &stage.Record{Stage: stage.Fetching, Count: 1, Fetch: &stage.Progress{Source: "http://x/a.zip", Bytes: bytes, Total: 1000}}
	}
	failing := func(reason string, next int64) *stage.Record {
		r := fetching(0)
		r.Reason, r.Until = reason, time.Unix(next, 0)
		return r
	}
	unschedulable := &stage.Record{Stage: stage.Scheduling, Reason: "Insufficient cpu"}
	commands := &stage.Record{Stage: stage.Commands}
	var gang []*stage.Record
	for range manyTasks {
		gang = append(gang, unschedulable)
	}
	retry := status(planner.StateWaiting)
	retry.Stage = &stage.Record{Stage: stage.Scheduling, Reason: "waits 4s before attempt 2", Until: time.Unix(4, 0)}
	tests := map[string]struct {
		statuses []*cluster.Status
		want     []string
	}{
		"a download is sent when it begins": {
			[]*cluster.Status{status("WAITING", unschedulable), status("RUNNING", fetching(10)), status("RUNNING", fetching(500)), status("RUNNING", commands), status("SUCCEEDED", commands)},
			[]string{"job.a: WAITING", "job.a: worker[0] scheduling: Insufficient cpu", "job.a: RUNNING", "job.a: worker[0] fetching a.zip 1 % of 1000 B", "job.a: SUCCEEDED"},
		},
		"causes of a failing download that alternate are sent once each": {
			[]*cluster.Status{
				status("RUNNING", fetching(0)), status("RUNNING", failing("503 Service Unavailable", 2)), status("RUNNING", failing("broke after 10 bytes", 4)),
				status("RUNNING", failing("503 Service Unavailable", 8)), status("RUNNING", failing("broke after 20 bytes", 16)), status("RUNNING", fetching(30)),
			},
			[]string{
				"job.a: RUNNING", "job.a: worker[0] fetching a.zip 0 % of 1000 B",
				"job.a: worker[0] fetching a.zip 0 % of 1000 B: 503 Service Unavailable, next try in 2 s",
				"job.a: worker[0] fetching a.zip 0 % of 1000 B: broke after 10 bytes, next try in 4 s",
			},
		},
		"many tasks have one message": {
			[]*cluster.Status{status("WAITING", gang...), status("WAITING", gang...)},
			[]string{"job.a: WAITING", "job.a: worker: 9 of 9 scheduling, for example: Insufficient cpu"},
		},
		"a job that waits for its next attempt": {
			[]*cluster.Status{retry, retry}, []string{"job.a: WAITING", "job.a: job scheduling: waits 4s before attempt 2, 4 s left"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sent []string
			p := &jobProgress{name: "a", sent: map[string]sentStage{}, now: func() time.Time { return time.Unix(0, 0) }, send: func(format string, args ...any) { sent = append(sent, fmt.Sprintf(format, args...)) }}
			for _, st := range tt.statuses {
				p.changed(st)
			}
			if diff := cmp.Diff(tt.want, sent); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestAResourceThatWaitsLogsEachChange checks that each state change of a job
// is logged once. Terraform does not show a resource's progress messages.
func TestAResourceThatWaitsLogsEachChange(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	p := loggedProgress(tflogtest.RootLogger(t.Context(), &log), "a")
	for _, state := range []planner.JobState{planner.StateWaiting, planner.StateWaiting, planner.StateRunning} {
		p.changed(&cluster.Status{State: state})
	}
	entries, err := tflogtest.MultilineJSONDecode(&log)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, fmt.Sprintf("%v %v", e["@level"], e["@message"]))
	}
	if diff := cmp.Diff([]string{"info job.a: WAITING", "info job.a: RUNNING"}, got); diff != "" {
		t.Errorf("the log (-want +got):\n%s", diff)
	}
}
