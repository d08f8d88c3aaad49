// SPDX-License-Identifier: MPL-2.0

package local

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

func TestAMissingExitRecordIsDerivedFromTheStatus(t *testing.T) {
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

// A task that the engine ends together with its job has the engine's exit
// code. This matches Kubernetes, where FrameworkController deletes the Pod
// before it reads the runtime's record.
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

// TestATaskThatIsStoppedAfterItsResultKeepsIt stops a task during a hook. The
// stop ends the hook, not the commands.
func TestATaskThatIsStoppedAfterItsResultKeepsIt(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, c := range map[string]struct {
		record exitspec.Record
		code   int32
		want   string
	}{
		"its commands had failed":    {exitspec.Record{Code: 255, UserCode: 7, Phrase: "P", Reason: "the commands exited with code 7", Stage: "commands"}, framework.CodeAttemptCompletion, "7 P: the commands exited with code 7"},
		"its commands had succeeded": {exitspec.Record{Phrase: "Succeeded", Reason: "the task succeeded", Stage: "commands"}, framework.CodeStopRequested, "0 Succeeded: the task succeeded"},
		"its commands were stopped":  {exitspec.Record{Code: 143, UserCode: 143, Phrase: "P", Stopped: true}, framework.CodeAttemptCompletion, "-220 FrameworkAttemptCompletion: stop"},
		"a rescale removed it":       {exitspec.Record{Code: 255, UserCode: 7, Phrase: "P"}, framework.CodeDeleteTaskRequested, "-230 DeleteTaskRequested: removed by rescale"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := store.TaskDir(t.TempDir())
			if err := store.WriteJSON(dir.Exit(), c.record); err != nil {
				t.Fatal(err)
			}
			done := framework.FromCode(c.code, "stop")
			r := exitRecord(dir, &framework.TaskAttemptStatus{StartTime: at, CompletionStatus: done})
			if got := fmt.Sprintf("%d %s: %s", r.UserCode, r.Phrase, r.Reason); got != c.want || r.Code != int(c.code) || !r.Stopped {
				t.Errorf("%s, want %s; code %d, stopped %v", got, c.want, r.Code, r.Stopped)
			}
		})
	}
}
