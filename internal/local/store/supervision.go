// SPDX-License-Identifier: MPL-2.0

package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/process"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// Supervisor identifies the current or last supervisor process of a
// Framework.
type Supervisor struct {
	Process process.ID `json:"process"`
	Program string     `json:"program"`
	Since   time.Time  `json:"since"`
}

// NeedsSupervisor reports whether a Framework is unfinished and does not have a
// supervisor.
func (o Object) NeedsSupervisor(fw *framework.Framework) (bool, error) {
	if !unfinished(fw) {
		return false, nil
	}
	held, err := o.Supervised()
	return !held && err == nil, err
}

// LacksSupervisor is like NeedsSupervisor, but waits until a process that
// holds the supervisor's lock has recorded itself; see [Object.InCharge].
// Commands that start a missing supervisor use LacksSupervisor: a held lock
// does not prove that a supervisor is running.
func (o Object) LacksSupervisor(ctx context.Context, fw *framework.Framework) (bool, error) {
	if !unfinished(fw) {
		return false, nil
	}
	held, err := o.InCharge(ctx)
	return !held && err == nil, err
}

// unfinished reports whether a Framework was permitted to start and has not
// ended.
func unfinished(fw *framework.Framework) bool {
	return fw.Spec.ExecutionType != framework.ExecutionCreate &&
		(fw.Status == nil || fw.Status.State != framework.StateCompleted)
}

// If a supervisor is killed while it starts a task, the task holds the supervisor's
// lock until the task executes its program. On a busy machine, the task may need
// more time for this.
const (
	inheritedPatience = time.Second
	chargePatience    = 15 * time.Second // in case a bug prevents supervisors from starting
	inheritedPause    = 5 * time.Millisecond
)

// Supervised reports whether a process supervises the Framework. If the recorded
// holder of the lock has ended, it checks again. In this case, either another process
// inherited the lock and releases it soon, or a new supervisor holds the lock and is
// about to record itself.
func (o Object) Supervised() (bool, error) {
	for deadline := time.Now().Add(inheritedPatience); ; time.Sleep(inheritedPause) {
		held, err := IsLocked(o.SupervisorLock())
		if !held || err != nil {
			return false, err
		}
		var s Supervisor
		known := ReadJSON(o.SupervisorFile(), &s) == nil
		if !known || s.Process.Alive() || time.Now().After(deadline) {
			return true, nil
		}
	}
}

// InCharge is a variant of Supervised for callers that start a supervisor if none
// is running. It returns true once the holder of the lock has recorded itself. A
// starting supervisor records itself as its last step. It returns false once the
// lock is free. If neither happens within 15 seconds, it returns true, because a
// supervisor cannot record itself on a full disk.
func (o Object) InCharge(ctx context.Context) (bool, error) {
	for deadline := time.Now().Add(chargePatience); ; {
		held, err := IsLocked(o.SupervisorLock())
		if !held || err != nil {
			return false, err
		}
		var s Supervisor
		err = ReadJSON(o.SupervisorFile(), &s)
		unreadable := err != nil && !errors.Is(err, fs.ErrNotExist)
		if unreadable || err == nil && s.Process.Alive() || time.Now().After(deadline) {
			return true, nil
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(inheritedPause):
		}
	}
}

// finished reports whether the Framework will not start any more processes.
func (o Object) finished() bool {
	fw, _, err := o.Load()
	return err == nil && fw.Status != nil && fw.Status.State == framework.StateCompleted
}

// SuspendedSupervisor returns the Framework's supervisor process if it is
// suspended, and nil otherwise.
func (o Object) SuspendedSupervisor() *process.ID {
	var s Supervisor
	if ReadJSON(o.SupervisorFile(), &s) != nil || !s.Process.Alive() || !process.Suspended(s.Process.PID) {
		return nil
	}
	return &s.Process
}

// SuspendedText explains how to resume or replace a suspended supervisor.
func SuspendedText(p *process.ID) string {
	return fmt.Sprintf("its supervisor, process %d, is suspended; run \"kill -CONT %d\" to resume it, or run \"kill -KILL %d\" so that the next command starts a new supervisor", p.PID, p.PID, p.PID)
}

// Problem describes what blocks the supervisor of an unfinished Framework. It
// returns "" if nothing blocks the supervisor.
func (o Object) Problem(fw *framework.Framework) message.Text {
	if fw.Status != nil && fw.Status.State == framework.StateCompleted {
		return message.Text{}
	}
	if p := o.SuspendedSupervisor(); p != nil {
		return message.Textf("%s", SuspendedText(p))
	}
	if o.DiskFull() {
		return o.DiskFullText()
	}
	return message.Text{}
}
