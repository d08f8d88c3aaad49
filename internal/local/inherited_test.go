// SPDX-License-Identifier: MPL-2.0

package local

import (
	"os/exec"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func endedProcess(t *testing.T) process.ID {
	t.Helper()
	cmd := exec.Command("sleep", "300")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	id, err := process.Identify(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return id
}

// holdFor holds a lock for the given duration, like a child process that
// inherited the lock from a killed process.
func holdFor(t *testing.T, name string, d time.Duration) *store.Lock {
	t.Helper()
	lock, err := store.TryLock(name)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(d, lock.Release)
	return lock
}

func TestTheLockOfAKilledCommandKeepsNobodyAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.layout.Prepare(); err != nil {
		t.Fatal(err)
	}
	lock := holdFor(t, w.layout.LockFile(), 500*time.Millisecond)
	if err := writeHolder(lock.File, lockHolder{PID: endedProcess(t).PID}); err != nil {
		t.Fatal(err)
	}
	if held, err := w.locked(); held || err != nil {
		t.Errorf("a killed command holds the lock: %v, error %v", held, err)
	}
	release, err := w.Lock(w.ctx)
	if err != nil {
		t.Fatal(err)
	}
	release()
}

func TestTheLockOfAKilledSupervisorSupervisesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.unpackState()
	o := w.layout.Object(storedRunning)
	if err := store.WriteJSON(o.SupervisorFile(), store.Supervisor{Process: endedProcess(t)}); err != nil {
		t.Fatal(err)
	}
	holdFor(t, o.SupervisorLock(), 500*time.Millisecond)
	fw, _, err := o.Load()
	if err != nil {
		t.Fatal(err)
	}
	if needed, err := o.NeedsSupervisor(fw); !needed || err != nil {
		t.Errorf("the Framework needs a supervisor: %v, error %v", needed, err)
	}
}

// TestACommandThatSucceedsLeavesASupervisor checks that a command starts a
// supervisor even if the lock of a killed supervisor is released late. This
// delay can occur on a busy machine.
func TestACommandThatSucceedsLeavesASupervisor(t *testing.T) {
	t.Parallel()
	tests := map[string]func(w *world, o store.Object, s cluster.Submission) error{
		"a lock held before apply": func(w *world, _ store.Object, s cluster.Submission) error {
			return w.Create(w.ctx, s)
		},
		"a lock held before an update": func(w *world, _ store.Object, s cluster.Submission) error {
			return w.Update(w.ctx, s)
		},
		"a lock held at the start of a supervisor": func(w *world, o store.Object, _ cluster.Submission) error {
			program, err := w.layout.InstallProgram(time.Now())
			if err != nil {
				return err
			}
			return w.startSupervisor(w.ctx, o, program)
		},
	}
	for name, command := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			script, gate := gated(t)
			job := newJob("inherited", newRole("worker", script))
			w.apply(job)
			w.awaitOutput(job, "worker", 0, "up")
			w.killSupervisor(job)
			o := w.layout.Object(job.Framework)
			holdFor(t, o.SupervisorLock(), 3*time.Second)
			if err := command(w, o, submission(job, nil)); err != nil {
				t.Fatal(err)
			}
			if !w.supervisor(job).Alive() {
				t.Fatal("nobody supervises the job")
			}
			open(t, gate)
			if st := w.finished(job); st.State != planner.StateSucceeded {
				t.Errorf("status %+v", st)
			}
		})
	}
}
