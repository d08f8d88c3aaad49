// SPDX-License-Identifier: MPL-2.0

package local

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// TestWaitAndStopReportAKilledApply checks that wait and stop report a killed apply
// immediately. The commands must not wait, because only another apply can start the
// job.
func TestWaitAndStopReportAKilledApply(t *testing.T) {
	t.Parallel()
	tests := map[string]func(w *world, o store.Object, s cluster.Submission){
		"killed after the record": func(w *world, _ store.Object, s cluster.Submission) {
			if err := w.layout.SaveRecord(store.NewRecord(s, w.options.Now())); err != nil {
				w.Fatal(err)
			}
		},
		"killed before the permission to start": func(w *world, o store.Object, s cluster.Submission) {
			w.apply(s.Job)
			w.finished(s.Job)
			if err := os.Remove(o.StatusFile()); err != nil {
				w.Fatal(err)
			}
			if err := o.Edit(func(fw *framework.Framework) { fw.Spec.ExecutionType = framework.ExecutionCreate }); err != nil {
				w.Fatal(err)
			}
		},
		"killed during the deletion": func(w *world, o store.Object, s cluster.Submission) {
			w.apply(s.Job)
			w.finished(s.Job)
			if err := w.markRemoved(o); err != nil {
				w.Fatal(err)
			}
		},
	}
	for name, half := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			job := newJob("half", newRole("worker", "true"))
			half(w, w.layout.Object(job.Framework), submission(job, nil))

			st, err := w.Status(w.ctx, job.Framework)
			if err != nil || st.Stalled == "" || st.State == "" {
				t.Errorf("status %+v, error %v", st, err)
			}
			if _, err := cluster.Wait(w.ctx, w, job.Framework, cluster.Running, nil); !errors.Is(err, cluster.ErrStalled) {
				t.Errorf("wait: error %v", err)
			}
			release, err := w.Lock(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if st, err := w.Status(w.ctx, job.Framework); err != nil || st.Stalled != "" {
				t.Errorf("while a command processes the job: status %+v, error %v", st, err)
			}
			release()
			if err := w.Create(w.ctx, submission(job, nil)); err != nil {
				t.Fatal(err)
			}
			if st := w.finished(job); st.State != planner.StateSucceeded || st.Stalled != "" {
				t.Errorf("after the next apply: %+v", st)
			}
		})
	}
}

func TestAHalfSubmittedJobIsNotStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("half", newRole("worker", "true"))
	w.apply(job)
	w.finished(job)
	o := w.layout.Object(job.Framework)
	if err := o.Edit(func(fw *framework.Framework) { fw.Spec.ExecutionType = framework.ExecutionCreate }); err != nil {
		t.Fatal(err)
	}
	if err := w.Stop(w.ctx, job.Framework); !errors.Is(err, cluster.ErrStalled) {
		t.Errorf("stop: error %v", err)
	}
	if fw, err := o.LoadSpec(); err != nil || fw.Spec.ExecutionType != framework.ExecutionCreate {
		t.Errorf("the request was recorded: %+v, error %v", fw, err)
	}
}

// TestAFailedSubmissionLeavesNoFiles checks that a failed submission does not
// leave any files. The submission fails because a directory exists at the
// path of a file.
func TestAFailedSubmissionLeavesNoFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := newJob("blocked", newRole("worker", "true"))
	if err := os.MkdirAll(w.layout.Object(job.Framework).BindingFile(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := w.Create(w.ctx, submission(job, nil)); err == nil || !strings.Contains(err.Error(), "binding.json") {
		t.Errorf("create: error %v", err)
	}
	for _, dir := range []string{w.layout.Frameworks(), w.layout.Records(), filepath.Dir(w.layout.Attempts("x"))} {
		if remaining, _ := os.ReadDir(dir); len(remaining) > 0 {
			t.Errorf("%s still exists in %s", remaining[0].Name(), dir)
		}
	}
	if _, err := w.Status(w.ctx, job.Framework); !errors.Is(err, cluster.ErrNotFound) {
		t.Errorf("status: error %v", err)
	}
}
