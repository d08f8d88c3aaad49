package process

import (
	"errors"
	"fmt"
)

// ErrEnded says that there is no process of that number, or only what is left
// of one that ended.
var ErrEnded = errors.New("the process has ended")

// ID identifies a process for good: pids are used again, within one run
// of the machine and after the next start of it.
type ID struct {
	PID int `json:"pid"`
	// Start is the start time as the system counts it, Boot identifies the
	// run of the machine. Both are compared, never calculated with.
	Start string `json:"start"`
	Boot  string `json:"boot"`
}

// Identify returns the identity of the process that has a pid now. It fails
// when there is none, or only what is left of one that ended.
func Identify(pid int) (ID, error) {
	start, err := processStart(pid)
	if err != nil {
		return ID{}, fmt.Errorf("look up process %d: %w", pid, err)
	}
	boot, err := BootID()
	if err != nil {
		return ID{}, fmt.Errorf("look up the run of this machine: %w", err)
	}
	return ID{PID: pid, Start: start, Boot: boot}, nil
}

// Mark is the entry in the environment of every process of a task by which it
// is recognized.
func Mark(podUID string) string { return "FC_POD_UID=" + podUID }

// Alive reports whether that very process still runs.
func (p ID) Alive() bool {
	if p.PID <= 0 {
		return false
	}
	now, err := Identify(p.PID)
	return err == nil && now == p
}
