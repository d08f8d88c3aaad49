// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// runningJob returns the status of a job with n running tasks.
func runningJob(n int) *cluster.Status {
	role := cluster.TaskRole{Name: "worker"}
	for i := range n {
		role.Tasks = append(role.Tasks, cluster.Task{Index: i, Attempts: []cluster.TaskAttempt{{State: "RUNNING", Pod: fmt.Sprintf("job-worker-%d", i)}}})
	}
	return &cluster.Status{State: "RUNNING", TaskRoles: []cluster.TaskRole{role}}
}

func TestStagesOfALargeGangTakeFewRequests(t *testing.T) {
	t.Parallel()
	requests := 0
	c := answeredBy(t, Options{Workspace: "vision"}, func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/log") {
			t.Errorf("a request for %s", r.URL)
		}
		requests++
		fmt.Fprint(w, stageText(stage.Fetching))
	})
	st := runningJob(1000)
	cluster.AddStages(t.Context(), c, st)
	known := 0
	for _, task := range st.TaskRoles[0].Tasks {
		if s := task.Attempts[0].Stage; s != nil && s.Stage == stage.Fetching {
			known++
		}
	}
	if requests != sampleSize || known != sampleSize || st.Sample == nil || *st.Sample != (cluster.Sample{Sampled: sampleSize, Running: 1000}) {
		t.Errorf("%d requests, %d stages, sample %+v", requests, known, st.Sample)
	}
}

func TestStagesOfManyJobsTakeFewRequests(t *testing.T) {
	t.Parallel()
	const jobs = 200
	requests, logs := 0, map[string]bool{}
	c := answeredBy(t, Options{Workspace: "vision", Now: func() time.Time { return time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC) }}, func(w http.ResponseWriter, r *http.Request) {
		requests++
		logs[r.URL.Path] = true
		fmt.Fprint(w, stageText(stage.Fetching))
	})
	for call, want := range []int{64, 128, 192, 200, 200} {
		var statuses []*cluster.Status
		for n := range jobs {
			st := runningJob(1)
			st.TaskRoles[0].Tasks[0].Attempts[0].Pod = fmt.Sprintf("job%d-worker-0", n)
			statuses = append(statuses, st)
		}
		cluster.AddStages(t.Context(), c, statuses...)
		known := 0
		for _, st := range statuses {
			if st.TaskRoles[0].Tasks[0].Attempts[0].Stage != nil {
				known++
			}
			if (st.Sample == nil) != (st.TaskRoles[0].Tasks[0].Attempts[0].Stage != nil) {
				t.Errorf("call %d: sample %+v", call, st.Sample)
			}
		}
		if requests != want || len(logs) != want || known != want {
			t.Errorf("call %d: %d requests for %d logs so far and %d known stages, want %d", call, requests, len(logs), known, want)
		}
	}
}

func TestALogThatCannotBeReadLeavesTheStageUnknown(t *testing.T) {
	t.Parallel()
	c := answeredBy(t, Options{Workspace: "vision"}, func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"kind":"Status","code":403,"reason":"Forbidden"}`, http.StatusForbidden)
	})
	st := runningJob(1)
	cluster.AddStages(t.Context(), c, st)
	if s := st.TaskRoles[0].Tasks[0].Attempts[0].Stage; s != nil {
		t.Errorf("the stage is %+v", s)
	}
}
