package local

import "fmt"

// process identifies a process for good: pids are used again, within one run
// of the machine and after the next start of it.
type process struct {
	PID int `json:"pid"`
	// Start is the start time as the system counts it, Boot identifies the
	// run of the machine. Both are compared, never calculated with.
	Start string `json:"start"`
	Boot  string `json:"boot"`
}

// identify returns the identity of the process that has a pid now. It fails
// when there is none, or only what is left of one that ended.
func identify(pid int) (process, error) {
	start, err := processStart(pid)
	if err != nil {
		return process{}, fmt.Errorf("look up process %d: %w", pid, err)
	}
	boot, err := bootID()
	if err != nil {
		return process{}, fmt.Errorf("look up the run of this machine: %w", err)
	}
	return process{PID: pid, Start: start, Boot: boot}, nil
}

// alive reports whether that very process still runs.
func (p process) alive() bool {
	if p.PID <= 0 {
		return false
	}
	now, err := identify(p.PID)
	return err == nil && now == p
}
