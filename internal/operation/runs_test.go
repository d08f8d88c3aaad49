// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// training is a cluster with one recorded run. The first attempt of the task failed.
// The second attempt is running. Only AddStages returns the metrics of the running
// attempt.
type training struct {
	fake
	cluster.RunStore
}

func (*training) Runs(context.Context, string) ([]*history.Run, error) {
	return []*history.Run{{Address: "job.a", Number: 1, Framework: "f-a", UID: "1", Workspace: "ws"}}, nil
}

func (*training) Status(context.Context, string) (*cluster.Status, error) {
	failed := cluster.TaskAttempt{State: "FAILED", Exit: &exitspec.Record{Metrics: metrics.Values{"loss": 2}}}
	task := cluster.Task{State: "RUNNING", Attempts: []cluster.TaskAttempt{failed, {Attempt: 1, State: "RUNNING"}}}
	return &cluster.Status{State: planner.StateRunning, TaskRoles: []cluster.TaskRole{{Name: "worker", Tasks: []cluster.Task{task}}}}, nil
}

func (*training) AddStages(_ context.Context, statuses ...*cluster.Status) {
	for _, st := range statuses {
		st.TaskRoles[0].Tasks[0].Latest().Stage = &stage.Record{Stage: stage.Commands, Metrics: metrics.Values{"loss": 0.5}}
	}
}

func TestARunThatHasNotEndedHasTheCurrentMetricsOfItsTasks(t *testing.T) {
	t.Parallel()
	c := &training{}
	running := live(newJob("a", "train"))
	running.Run = 1
	c.jobs = []*planner.LiveJob{running}
	o := newOperation(c, nil)
	runs, err := o.Runs(t.Context())
	if err != nil || len(runs) != 1 || runs[0].Live == nil {
		t.Fatalf("got %v, %v", runs, err)
	}
	if got := runs[0].Metrics; got != nil {
		t.Errorf("before reading metrics: %v", got)
	}
	o.AddMetrics(t.Context(), runs...)
	if diff := cmp.Diff(map[string]float64{"loss": 0.5}, runs[0].Metrics); diff != "" {
		t.Errorf("metrics of the job (-want +got)\n%s", diff)
	}
	attempts := runs[0].Tasks[0].Attempts
	if diff := cmp.Diff(map[string]float64{"loss": 0.5}, attempts[1].Metrics); diff != "" {
		t.Errorf("metrics of the running attempt (-want +got)\n%s", diff)
	}
	if attempts[0].Metrics != nil || attempts[0].Exit.Metrics["loss"] != 2 {
		t.Errorf("the failed attempt has the metrics %v and %v", attempts[0].Metrics, attempts[0].Exit.Metrics)
	}
	o.AddMetrics(t.Context(), operation.RecordedRun{Run: &history.Run{}})
}
