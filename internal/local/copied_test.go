// SPDX-License-Identifier: MPL-2.0

package local

import (
	"os"
	"os/exec"
	"testing"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestACopyOfAWorkspaceLeavesTheOriginalAlone ends the job in the copied
// workspace. The records of the copy contain the Pod UIDs, processes and cgroups
// of the original.
func TestACopyOfAWorkspaceLeavesTheOriginalAlone(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(w *world, job *resolve.Job) error{
		"destroy": func(w *world, job *resolve.Job) error { return w.Delete(w.ctx, job.Framework) },
		"stop a job that cannot be read": func(w *world, job *resolve.Job) error {
			w.spoilStatus(job)
			return w.Stop(w.ctx, job.Framework)
		},
		"repair": func(w *world, job *resolve.Job) error {
			w.spoilStatus(job)
			_, err := w.Repair(w.ctx, job.Workspace)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			script, gate := gated(t)
			job := newJob("original", newRole("worker", script))
			w.apply(job)
			w.awaitOutput(job, "worker", 0, "up")
			copied := newWorld(t)
			copyRunning(t, string(w.layout), string(copied.layout))
			if err := end(copied, job); err != nil {
				t.Fatal(err)
			}
			open(t, gate)
			if st := w.finished(job); st.State != planner.StateSucceeded || st.Retries > 0 {
				t.Errorf("the original ended with %+v", st)
			}
		})
	}
}

// spoilStatus makes the status of a job unreadable.
func (w *world) spoilStatus(job *resolve.Job) {
	w.Helper()
	if err := os.WriteFile(w.layout.Object(job.Framework).StatusFile(), []byte("{"), 0o600); err != nil {
		w.Fatal(err)
	}
}

// copyRunning retries a failed copy, because a temporary file may disappear while cp
// reads the directory.
func copyRunning(t *testing.T, from, to string) {
	t.Helper()
	for tries := 5; ; tries-- {
		out, err := exec.Command("cp", "-R", from, to).CombinedOutput()
		if err == nil {
			return
		}
		if tries == 0 {
			t.Fatalf("%v\n%s", err, out)
		}
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
	}
}
