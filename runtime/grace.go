// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// grace returns the grace period of a stop.
func (t *task) grace() time.Duration { return seconds(t.Spec.StopGraceSeconds) }

// killTime returns the time at which a stopped script is killed. If taskExits
// callbacks follow it, the last third of the grace period is reserved for them.
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

// graceShareEnd returns the end of the share of the grace period that the
// running taskExits callback has for all its attempts.
func (t *task) graceShareEnd() time.Time {
	if t.callbackEnd.IsZero() {
		since, _ := t.stop.stopped()
		remaining := time.Until(since.Add(t.grace()))
		t.callbackEnd = time.Now().Add(graceShare(remaining, t.pending))
	}
	return t.callbackEnd
}

// graceShare returns the part of the remaining time that a taskExits callback
// may use: everything except the shares of later callbacks. The share of each
// later callback is an equal part, or its timeout if that is shorter.
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

// pauseWithinGrace waits before a taskExits callback is tried again. It returns
// false if its share of the grace period would end before that.
func (t *task) pauseWithinGrace(_ *outcome, d time.Duration) bool {
	due := time.Now().Add(d)
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-t.stop.requested:
	}
	if due.After(t.graceShareEnd()) {
		return false
	}
	<-timer.C
	return true
}

// deadline fires once, at the earliest of the times passed to it.
type deadline struct {
	at   time.Time
	over <-chan time.Time // nil: no time was set
}

func (d *deadline) noLaterThan(at time.Time) {
	if d.over == nil || at.Before(d.at) {
		d.at, d.over = at, time.After(time.Until(at))
	}
}
