// SPDX-License-Identifier: MPL-2.0

package output

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func running(address string, usage ...*cluster.Usage) *cluster.Status {
	st := &cluster.Status{Address: address, State: planner.StateRunning, TaskRoles: []cluster.TaskRole{{Name: "w"}}}
	for i, u := range usage {
		a := cluster.TaskAttempt{State: "RUNNING", Usage: u, Stage: &stage.Record{Stage: stage.Commands}}
		st.TaskRoles[0].Tasks = append(st.TaskRoles[0].Tasks, cluster.Task{Index: i, State: "RUNNING", Attempts: []cluster.TaskAttempt{a}})
	}
	return st
}

func TestMeasuredTasksShowTheirUsage(t *testing.T) {
	t.Parallel()
	unknown := running("job.b", nil)
	unknown.UsageUnknown = "read the metrics of Pods: not found"
	for name, c := range map[string]struct {
		status *cluster.Status
		want   string
	}{
		"one task is measured": {
			running("job.a", &cluster.Usage{CPU: 1.234, Memory: 1.2e9}, nil),
			"  TASK  ATTEMPT  STATE    STARTED  TIME  EXIT  CPU   MEMORY   STAGE\n" +
				"  w[0]  1        RUNNING  -        -     -     1.23  1.1 GiB  commands\n" +
				"  w[1]  1        RUNNING  -        -     -     -     -        commands\n",
		},
		"nothing is measured": {
			unknown,
			"  TASK  ATTEMPT  STATE    STARTED  TIME  EXIT  STAGE\n" +
				"  w[0]  1        RUNNING  -        -     -     commands\n" +
				"  usage unknown: read the metrics of Pods: not found\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			showTasks(&out, c.status, time.Now())
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestSummariesShowStagesAndUsage(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	gang := running("job.gang", nil, nil, nil)
	gang.UsageUnknown = "the cluster does not measure resource usage"
	gang.TaskRoles[0].Tasks[1].Attempts[0].Stage = &stage.Record{Stage: stage.Fetching}
	held := running("job.held", nil, nil)
	held.TaskRoles[0].Tasks[1].Attempts[0].Stage = &stage.Record{Stage: stage.Held}
	all := []Summary{
		{Status: gang, GPUs: 3},
		{Status: held, GPUs: 0},
		{Status: running("job.a", &cluster.Usage{CPU: 1, Memory: 1e9}, &cluster.Usage{CPU: 0.5, Memory: 1e9}), GPUs: UnknownGPUs},
		{Status: &cluster.Status{Address: "job.b", State: planner.StateAbsent}},
	}
	want := `NAME  STATE    STAGE            TASKS  AGE  GPUS  CPU   MEMORY
a     RUNNING  2 of 2 commands  0/2    -    -     1.50  1.9 GiB
b     ABSENT   -                0/0    -    0     -     -
gang  RUNNING  1 of 3 fetching  0/3    -    3     -     -
held  RUNNING  1 of 2 held      0/2    -    0     -     -

3 running, 1 absent, 3 GPUs in use
usage unknown: the cluster does not measure resource usage
`
	var out bytes.Buffer
	Summaries(&out, all, false, 0, now)
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
