// SPDX-License-Identifier: MPL-2.0

package runtime

import "time"

// Limits for the stage lines of one attempt. Progress lines are written only
// until the total reaches maxProgressLines, so that later stages can still write
// lines.
const (
	maxStageLines    = 200
	maxProgressLines = 150
)

// lineBurst is the number of stage lines that a task may write without a pause.
// The last changeLines lines of the burst are reserved for the first lines of
// stages.
const (
	lineBurst   = 6
	changeLines = 3
)

// linePace limits stage lines to an average of one per interval. It permits bursts:
// the log must show a new stage within 5 seconds, even right after a line about a
// different stage.
type linePace struct {
	interval time.Duration
	// covered is the earliest time at which the written lines no longer exceed
	// the average.
	covered time.Time
	last    time.Time // of the last line
}

// change returns the earliest time for the first line of a new stage.
func (p *linePace) change(now time.Time) time.Time { return p.leaving(0, now) }

// cause returns the earliest time for a line that reports a new reason for
// the wait in the current stage.
func (p *linePace) cause(now time.Time) time.Time { return p.leaving(changeLines, now) }

// progress returns the earliest time for another progress line about the
// current stage.
func (p *linePace) progress(now time.Time) time.Time {
	if p.last.IsZero() {
		return now
	}
	return latest(p.cause(now), p.last.Add(p.interval))
}

// leaving returns the earliest time at which the next line leaves room for n
// more lines without a pause.
func (p *linePace) leaving(n time.Duration, now time.Time) time.Time {
	return latest(now, p.covered.Add(-(lineBurst-1-n)*p.interval))
}

// count records a written line.
func (p *linePace) count(now time.Time) {
	p.covered, p.last = latest(now, p.covered).Add(p.interval), now
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
