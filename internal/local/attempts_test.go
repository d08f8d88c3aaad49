// SPDX-License-Identifier: MPL-2.0

package local

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

func TestExitOfATaskThatLeftNoRecord(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, tt := range map[string]struct {
		status *framework.CompletionStatus
		want   *exitspec.Record
	}{
		"it runs": {nil, nil},
		"its process ended without a signal": {
			framework.FromExit(9, "the task's process ended without an exit record", nil),
			&exitspec.Record{Code: 9, UserCode: 9, Phrase: "ContainerUnrecognizedFailed", Behavior: "UNKNOWN", Reason: "the task's process ended without an exit record", Started: at},
		},
		"it ended with its job": {
			framework.FromCode(framework.CodeAttemptCompletion, "Stop to complete current FrameworkAttempt"),
			&exitspec.Record{Code: -220, UserCode: -220, Phrase: "FrameworkAttemptCompletion", Behavior: "PERMANENT", Reason: "Stop to complete current FrameworkAttempt", Started: at, Stopped: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := exitRecord(store.TaskDir(t.TempDir()), &framework.TaskAttemptStatus{StartTime: at, CompletionStatus: tt.status})
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// On Kubernetes, such a task has the engine's exit code too: its Pod is deleted
// before the runtime's record is read.
func TestATaskThatEndedWithItsJobHasTheCodeOfTheEngine(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	master, worker := newRole("master", `while [ ! -e "$HERE/up" ]; do sleep 0.02; done`), newRole("worker", `echo serving; touch "$HERE/up"; sleep 1000`)
	master.MinSucceeded, master.Environment = 1, map[string]string{"HERE": w.dir}
	worker.MinFailed, worker.Environment = -1, master.Environment
	job := newJob("ended", master, worker)
	w.apply(job)
	got := w.finished(job).TaskRoles[1].Tasks[0].Attempts[0].Exit
	want := &exitspec.Record{
		Framework: job.Framework, Role: "worker", Code: -220, UserCode: -220, Phrase: "FrameworkAttemptCompletion", Behavior: "PERMANENT",
		Reason: "Stop to complete current FrameworkAttempt", Stopped: true, LastLines: []string{"serving"},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreTypes(time.Time{}), cmpopts.IgnoreFields(exitspec.Record{}, "CPUSeconds", "PeakMemoryBytes")); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
