package process

import (
	"errors"
	"time"
)

// ErrNotMeasured says that this system does not say what processes use.
var ErrNotMeasured = errors.New("processes are measured on Linux only")

// Sample is what all processes of this machine have used up to one moment.
type Sample struct {
	at        time.Time
	processes map[int]measured
}

// measured is one process of a sample.
type measured struct {
	parent, session int
	start           string
	cpu             time.Duration // since its start
	memory          int64         // resident, in bytes
}

// Measure takes a sample; it fails with [ErrNotMeasured] on systems other than
// Linux.
func Measure() (*Sample, error) {
	all, err := measureAll()
	if err != nil {
		return nil, err
	}
	return &Sample{at: time.Now(), processes: all}, nil
}

// Tree returns how many cores the process root, its session and all processes
// below it used since an earlier sample, and the memory they hold; ok is false
// when the process is not in the sample. Memory that processes share counts for
// each.
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

// below reports whether a process is root or has it among its ancestors. The
// sample is not of one instant, so that it may hold a circle.
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
