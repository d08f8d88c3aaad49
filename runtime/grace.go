// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

func (t *task) grace() time.Duration { return seconds(t.Spec.StopGraceSeconds) }

// killTime returns the time at which the runtime kills a stopped script. If
// taskExits callbacks follow the script, the last third of the grace period
// is reserved for these callbacks.
func (t *task) killTime(s script) time.Time {
	since, _ := t.stop.stopped()
	end := since.Add(t.grace())
	switch {
	case s.shielded:
		return t.graceShareEnd()
	case len(t.endCallbacks(contract.EventTaskExits)) > 0:
		return end.Add(-t.grace() / 3)
	}
	return end
}

// graceShareEnd returns the deadline for all attempts of the running taskExits
// callback.
func (t *task) graceShareEnd() time.Time {
	if t.callbackEnd.IsZero() {
		since, _ := t.stop.stopped()
		remaining := time.Until(since.Add(t.grace()))
		t.callbackEnd = time.Now().Add(graceShare(remaining, t.pending))
	}
	return t.callbackEnd
}

// graceShare divides the remaining time equally among this taskExits callback and
// the later callbacks. If a later callback has a shorter maximum duration, this
// callback receives the unused part.
func graceShare(remaining time.Duration, later []endCallback) time.Duration {
	equal := remaining / time.Duration(len(later)+1)
	for _, e := range later {
		share := equal
		if limit := e.maxDuration(); limit > 0 {
			share = min(equal, limit)
		}
		remaining -= share
	}
	return remaining
}

// pauseWithinGrace returns the pause before the next attempt of a taskExits
// callback. After a stop, the callback is not retried if the pause would
// exceed its share of the grace period. Closing the release channel ends the
// pause early.
func (t *task) pauseWithinGrace(release <-chan struct{}) pauseFunc {
	return func(_ *outcome, d time.Duration) bool {
		due := time.Now().Add(d)
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
			return true
		case <-release:
			return true
		case <-t.stop.requested:
		}
		if due.After(t.graceShareEnd()) {
			return false
		}
		<-timer.C
		return true
	}
}

// deadline is a timer that fires once, at the earliest time passed to
// noLaterThan.
type deadline struct {
	at   time.Time
	over <-chan time.Time // nil if no time was set
}

func (d *deadline) noLaterThan(at time.Time) {
	if d.over == nil || at.Before(d.at) {
		d.at, d.over = at, time.After(time.Until(at))
	}
}
