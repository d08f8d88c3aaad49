// SPDX-License-Identifier: MPL-2.0

package process

import (
	"errors"
	"time"
)

// ErrNotMeasured is the error on systems that do not report the resource usage
// of processes.
var ErrNotMeasured = errors.New("openpai measures the resource usage of processes only on Linux")

// Sample is the resource usage of all local processes at one moment.
type Sample struct {
	at        time.Time
	processes map[int]measured
}

// measured is the resource usage of one process in a sample.
type measured struct {
	parent, session int
	start           string
	cpu             time.Duration // since it started
	memory          int64         // resident, in bytes
}

// Measure takes a sample. It fails with [ErrNotMeasured] on systems other than
// Linux.
func Measure() (*Sample, error) {
	all, err := measureAll()
	if err != nil {
		return nil, err
	}
	return &Sample{at: time.Now(), processes: all}, nil
}

// Tree returns the total resource usage of a process, its descendants and the
// processes in its session. The parameter root is the PID of the process. cores
// is the average number of cores that they used since the earlier sample. memory
// is their memory in bytes. Shared memory is counted once for each process that
// uses it. ok is false if root is not in the sample.
func (s *Sample) Tree(root int, earlier *Sample) (cores float64, memory int64, ok bool) {
	if _, ok := s.processes[root]; !ok {
		return 0, 0, false
	}
	var used time.Duration
	for pid, p := range s.processes {
		if p.session != root && !s.below(pid, root) {
			continue
		}
		memory += p.memory
		used += p.cpu
		if before, ok := earlier.processes[pid]; ok && before.start == p.start {
			used -= before.cpu
		}
	}
	if passed := s.at.Sub(earlier.at); passed > 0 {
		cores = max(used.Seconds()/passed.Seconds(), 0)
	}
	return cores, memory, true
}

// below reports whether pid is root or a descendant. The sample is not
// atomic, so it may contain a cycle.
func (s *Sample) below(pid, root int) bool {
	for range len(s.processes) {
		if pid == root {
			return true
		}
		p, ok := s.processes[pid]
		if !ok || p.parent == 0 {
			return false
		}
		pid = p.parent
	}
	return false
}
