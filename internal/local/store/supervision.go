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

// Supervisor reports which process supervises a Framework, or did so last.
type Supervisor struct {
	Process process.ID `json:"process"`
	Program string     `json:"program"`
	Since   time.Time  `json:"since"`
}

// NeedsSupervisor reports whether a Framework is unfinished and nobody
// supervises it.
func (o Object) NeedsSupervisor(fw *framework.Framework) (bool, error) {
	if !unfinished(fw) {
		return false, nil
	}
	held, err := o.Supervised()
	return !held && err == nil, err
}

// LacksSupervisor is NeedsSupervisor for commands that start one and then rely
// on it: a lock alone does not convince it, see [Object.InCharge].
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

// What a task holds that a killed supervisor was starting is its supervisor's
// lock, until the task runs its program. That takes an instant, and longer on a
// busy machine.
const (
	inheritedPatience = time.Second
	chargePatience    = 15 * time.Second // when a mistake leaves nobody in charge
	inheritedPause    = 5 * time.Millisecond
)

// Supervised reports whether a process supervises the Framework. A lock whose
// recorded holder has ended is looked at again: it is either inherited, and
// soon free, or that of a supervisor that is about to record itself.
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

// InCharge is Supervised for those who do without another supervisor if there is
// one. It returns true once the holder of the lock has recorded itself, which a
// supervisor does last before its work, false once the lock is free, and true
// after 15 seconds of neither: on a full disk a supervisor cannot record itself.
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

// finished reports whether nothing of the Framework will run any more.
func (o Object) finished() bool {
	fw, _, err := o.Load()
	return err == nil && fw.Status != nil && fw.Status.State == framework.StateCompleted
}

// SuspendedSupervisor returns the process that holds the Framework and is kept
// from running; nil when there is none.
func (o Object) SuspendedSupervisor() *process.ID {
	var s Supervisor
	if ReadJSON(o.SupervisorFile(), &s) != nil || !s.Process.Alive() || !process.Suspended(s.Process.PID) {
		return nil
	}
	return &s.Process
}

// SuspendedText says what a suspended supervisor means and what to do.
func SuspendedText(p *process.ID) string {
	return fmt.Sprintf("its supervisor, process %d, is suspended and does nothing; \"kill -CONT %d\" lets it continue, after \"kill -KILL %d\" the next command starts another one", p.PID, p.PID, p.PID)
}

// Problem says what keeps the supervisor of an unfinished Framework from its
// work; empty when nothing does.
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
