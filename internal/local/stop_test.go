// SPDX-License-Identifier: MPL-2.0

package local

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// stopCommand returns a command that stops the job of countedJob in the
// workspace.
func (w *world) stopCommand() *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envCommand+"="+w.dir, envVerb+"=stop")
	return cmd
}

// TestAStopCountsAsACommandInProgress runs other commands while a stop
// command starts a new supervisor. They must report that a command is
// processing the job.
func TestAStopCountsAsACommandInProgress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := countedJob(w.dir)
	job.TaskRoles[0].Commands = []string{"echo up; sleep 300"}
	if err := w.Create(w.ctx, submission(job, map[string]string{"token": "open sesame"})); err != nil {
		t.Fatal(err)
	}
	w.awaitOutput(job, "worker", 0, "up")
	w.killSupervisor(job)
	stop := w.stopCommand()
	if err := stop.Start(); err != nil {
		t.Fatal(err)
	}
	requested := false
	for over := false; !over; {
		fw, err := w.layout.Object(job.Framework).LoadSpec()
		if err != nil {
			t.Fatal(err)
		}
		st, err := w.Status(w.ctx, job.Framework)
		if err != nil {
			t.Fatal(err)
		}
		if fw.Spec.ExecutionType == framework.ExecutionStop && !requested {
			requested = true
			continue // the status may be older than the request
		}
		if requested && st.Stalled != "" {
			t.Fatalf("the state after the request is %s", st.Stalled)
		}
		over = st.State.Finished()
	}
	if err := stop.Wait(); err != nil {
		t.Error(err)
	}
}

// TestStopWaitsForACommandThatChangesJobs checks that only one supervisor starts.
// Either the command with the lock starts the supervisor, or `stop` starts the
// supervisor after the lock is released.
func TestStopWaitsForACommandThatChangesJobs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	job := countedJob(w.dir)
	job.TaskRoles[0].Commands = []string{"trap 'echo ended >> " + filepath.Join(w.dir, "count") + "' EXIT; echo up; sleep 300"}
	if err := w.Create(w.ctx, submission(job, map[string]string{"token": "open sesame"})); err != nil {
		t.Fatal(err)
	}
	w.awaitOutput(job, "worker", 0, "up")
	w.killSupervisor(job)
	release, err := w.Lock(w.ctx)
	if err != nil {
		t.Fatal(err)
	}
	stop := w.stopCommand()
	if err := stop.Start(); err != nil {
		t.Fatal(err)
	}
	o := w.layout.Object(job.Framework)
	w.await(job, "asked to stop", func(*cluster.Status) bool {
		fw, err := o.LoadSpec()
		return err == nil && fw.Spec.ExecutionType == framework.ExecutionStop
	})
	ended := make(chan error, 1)
	go func() { ended <- stop.Wait() }()
	select {
	case err := <-ended:
		t.Fatalf("stop ended while another command held the lock; error %v", err)
	case <-time.After(3 * time.Second):
	}
	release()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if st := w.finished(job); st.State != planner.StateStopped {
		t.Errorf("status %+v", st)
	}
	if count, err := os.ReadFile(filepath.Join(w.dir, "count")); err != nil || string(count) != "ended\n" {
		t.Errorf("count %q, error %v", count, err)
	}
}

// TestTheEndOfAJobNeedsNoCopyOfTheProgram covers stop and delete, which must work
// on a full disk.
func TestTheEndOfAJobNeedsNoCopyOfTheProgram(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(w *world, framework string) error{
		"stop":   func(w *world, framework string) error { return w.Stop(w.ctx, framework) },
		"delete": func(w *world, framework string) error { return w.Delete(w.ctx, framework) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			job := newJob("uncopied", newRole("worker", "echo up; sleep 300"))
			w.apply(job)
			w.awaitOutput(job, "worker", 0, "up")
			tasks := w.processes(job.Framework)
			w.killSupervisor(job)
			if err := os.RemoveAll(w.layout.Programs()); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(w.layout.Programs(), nil, 0o600); err != nil { // blocks the directory
				t.Fatal(err)
			}
			if err := end(w, job.Framework); err != nil {
				t.Fatal(err)
			}
			if name == "stop" {
				w.finished(job)
			}
			for _, p := range tasks {
				if p.Alive() {
					t.Error("the task still runs")
				}
			}
		})
	}
}
