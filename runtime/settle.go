//go:build unix

package runtime

import (
	"slices"
	"syscall"
	"time"
)

// How long things may take that a task should not be held up by.
const (
	// drainTime is given to processes that hold the output of a script open
	// after its end.
	drainTime = 2 * time.Second
	// killDelay lies between SIGTERM and SIGKILL for what overstays: a
	// callback its timeout, a process the script that started it.
	killDelay = time.Second
)

// settle makes sure that all output of the script is in the logs before it
// returns, and ends what the script left behind unless that may stay.
func (t *task) settle(s script, r *running) {
	for _, src := range r.sources {
		src.sync()
	}
	if s.service {
		t.keep(r)
		return
	}
	patience := drainTime
	if _, stopped := t.stop.stopped(); stopped {
		patience = 0 // the grace period is short
	}
	deadline := time.Now().Add(patience)
	for _, src := range r.sources {
		if !src.ended(time.Until(deadline)) {
			break
		}
	}
	endAll([]*running{r})
	for _, src := range r.sources {
		src.ended(killDelay / 10)
		src.close()
	}
}

// keep remembers what a start callback left running, and its output.
func (t *task) keep(r *running) {
	if r.alive() {
		t.services = append(t.services, r)
	}
	for _, src := range r.sources {
		if src.ended(0) {
			src.close()
		} else {
			t.open = append(t.open, src)
		}
	}
}

// endAll ends process groups together: SIGTERM, then SIGKILL after killDelay.
func endAll(groups []*running) {
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
