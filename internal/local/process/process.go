// SPDX-License-Identifier: MPL-2.0

package process

import (
	"errors"
	"fmt"
)

// ErrEnded is returned if a PID does not belong to any process or belongs to a
// zombie.
var ErrEnded = errors.New("the process has ended")

// ID identifies a process uniquely. A PID is not sufficient, because the system
// reuses PIDs, even without a reboot.
type ID struct {
	PID int `json:"pid"`
	// Start is the start time in a system-specific unit. Boot identifies the
	// boot. Start and Boot are used only for comparisons.
	Start string `json:"start"`
	Boot  string `json:"boot"`
}

// Identify returns the identity of the process that currently has a PID. It fails
// if the PID does not belong to any process or belongs to a zombie.
func Identify(pid int) (ID, error) {
	start, err := processStart(pid)
	if err != nil {
		return ID{}, fmt.Errorf("look up process %d: %w", pid, err)
	}
	boot, err := BootID()
	if err != nil {
		return ID{}, fmt.Errorf("read the boot ID of this machine: %w", err)
	}
	return ID{PID: pid, Start: start, Boot: boot}, nil
}

// Mark returns the environment entry that identifies the processes of a task.
func Mark(podUID string) string { return "FC_POD_UID=" + podUID }

// Alive reports whether this exact process is still running. A process that is
// ending is not alive, because another process may already hold its former locks.
func (p ID) Alive() bool {
	if p.PID <= 0 {
		return false
	}
	now, err := Identify(p.PID)
	return err == nil && now == p && !exiting(p.PID)
}
