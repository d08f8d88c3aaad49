package local

import (
	"os/exec"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// endedProcess returns the identity of a process that has ended.
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

// holdBriefly holds a lock as a process does that a killed one was starting.
func holdBriefly(t *testing.T, name string) *store.Lock {
	t.Helper()
	lock, err := store.TryLock(name)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(500*time.Millisecond, lock.Release)
	return lock
}

func TestTheLockOfAKilledCommandKeepsNobodyAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.layout.Prepare(); err != nil {
		t.Fatal(err)
	}
	lock := holdBriefly(t, w.layout.LockFile())
	if err := writeHolder(lock.File, lockHolder{PID: endedProcess(t).PID}); err != nil {
		t.Fatal(err)
	}
	if held, err := w.locked(); held || err != nil {
		t.Errorf("a command that was killed changes jobs: %v, error %v", held, err)
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
	holdBriefly(t, o.SupervisorLock())
	fw, _, err := o.Load()
	if err != nil {
		t.Fatal(err)
	}
	if needed, err := o.NeedsSupervisor(fw); !needed || err != nil {
		t.Errorf("needs a supervisor: %v, error %v", needed, err)
	}
}
