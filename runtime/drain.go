// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"slices"
	"syscall"
	"time"
)

// Time limits for operations that must not delay a task.
const (
	// drainTimeout limits how long processes may keep a script's output open
	// after the script ends.
	drainTimeout = 2 * time.Second
	// killDelay is the time between SIGTERM and SIGKILL for processes that run
	// too long: a callback after its timeout, or a process after the script
	// that started the process ends.
	killDelay = time.Second
)

// drain returns when all output of the script is in the logs. It ends processes
// that the script left running, unless s.service is set.
func (t *task) drain(s script, r *running) {
	for _, src := range r.sources {
		src.Sync()
	}
	if s.service {
		t.registerService(r)
		return
	}
	timeout := drainTimeout
	if _, stopped := t.stop.stopped(); stopped {
		timeout = 0 // do not wait after a stop, because the grace period is short
	}
	deadline := time.Now().Add(timeout)
	for _, src := range r.sources {
		if !src.WaitEOF(time.Until(deadline)) {
			break
		}
	}
	terminateGroups([]*running{r})
	for _, src := range r.sources {
		src.WaitEOF(killDelay / 10)
		src.Close()
	}
}

// registerService records a process group that a start callback left running.
func (t *task) registerService(r *running) {
	if r.alive() {
		t.services = append(t.services, r)
	}
	for _, src := range r.sources {
		if src.WaitEOF(0) {
			src.Close()
		} else {
			t.openSources = append(t.openSources, src)
		}
	}
}

// terminateGroups sends SIGTERM, and SIGKILL to groups still running after
// killDelay.
func terminateGroups(groups []*running) {
	groups = slices.DeleteFunc(slices.Clone(groups), func(r *running) bool { return !r.alive() })
	for _, r := range groups {
		r.signal(syscall.SIGTERM)
	}
	for deadline := time.Now().Add(killDelay); len(groups) > 0; time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			for _, r := range groups {
				r.signal(syscall.SIGKILL)
			}
			return
		}
		groups = slices.DeleteFunc(groups, func(r *running) bool { return !r.alive() })
	}
}
