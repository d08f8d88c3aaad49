// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/runtime/logs"
)

// stageIntervals contains the intervals that a task uses to record its stages.
type stageIntervals struct {
	// file is the delay between a stage change and the write to the stage file. A
	// single write contains all changes during the delay.
	file time.Duration
	// minAge is the minimum age of a stage before the runtime logs it. If no
	// stage of a task reaches this age, the log therefore does not contain
	// stages.
	minAge time.Duration
	// line is the minimum average time between lines, and the minimum time between
	// two progress lines of one stage.
	line time.Duration
	// hold is the run time of an end callback after which the stage shows
	// that the callback is holding the task.
	hold time.Duration
	// release is the interval at which a held task checks for a release
	// request.
	release time.Duration
	// metrics is the interval at which the runtime reads the task's metrics.
	metrics time.Duration
}

var defaultIntervals = stageIntervals{
	file: 50 * time.Millisecond, minAge: 2 * time.Second, line: 10 * time.Second,
	hold: 10 * time.Second, release: 250 * time.Millisecond,
	metrics: time.Second,
}

// stages maintains a task's stage record, and copies the record to the runtime log.
// A separate goroutine writes the file; the task does not wait. The methods accept
// a nil receiver, because a task has no stages before the log is open.
type stages struct {
	root      string
	log       *logs.Runtime
	now       func() time.Time
	intervals stageIntervals

	mu      sync.Mutex
	current stage.Record
	lines   int
	pace    linePace
	cause   string      // of the last wait in the current stage
	timer   *time.Timer // of the next line; nil if no line is due
	due     time.Time
	changed chan struct{} // contains an element while the file is outdated
	closed  chan struct{}
	written chan struct{} // closed when writeFiles has returned
}

func newStages(root string, log *logs.Runtime, now func() time.Time, intervals stageIntervals) *stages {
	s := &stages{
		root: root, log: log, now: now, intervals: intervals, pace: linePace{interval: intervals.line},
		changed: make(chan struct{}, 1), closed: make(chan struct{}), written: make(chan struct{}),
	}
	go s.writeFiles()
	return s
}

// enter starts a stage and returns the start time.
func (s *stages) enter(r stage.Record) (since time.Time) {
	if s == nil {
		return time.Time{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Since, r.Metrics, s.cause = s.now().UTC(), s.current.Metrics, ""
	s.set(r.Safe(s.log.Redactor.String))
	s.schedule(s.pace.change(s.now().Add(s.intervals.minAge)))
	return r.Since
}

func (s *stages) progress(p stage.Progress) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current.Stage != stage.Fetching || s.current.Fetch == nil {
		return
	}
	p.Source = s.current.Fetch.Source
	r := s.current
	r.Fetch, r.Reason, r.Until = &p, "", time.Time{}
	s.set(r)
	s.scheduleProgress()
}

// wait records why a download, a starting step or an end callback waits. If the
// time of the next attempt is unknown, next is zero. For a download, the stage
// record shows the reason until data arrives. Otherwise, the record shows the
// reason until wait is called with an empty reason.
func (s *stages) wait(reason string, next time.Time) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.current
	switch {
	case r.Stage == stage.Prerequisite, r.Stage == stage.Ending:
	case r.Stage == stage.Fetching && r.Fetch != nil:
		p := *r.Fetch
		p.Rate, r.Fetch = 0, &p
	default:
		return
	}
	r.Reason, r.Until = reason, next.UTC()
	s.set(r.Safe(s.log.Redactor.String))
	s.scheduleProgress()
	if cause := r.Cause(); cause != "" && cause != s.cause && s.lines < maxProgressLines {
		s.cause = cause
		s.schedule(s.pace.cause(s.now()))
	}
}

// limit changes the time at which the current hold ends.
func (s *stages) limit(until time.Time) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.current; r.Stage == stage.Held {
		r.Until = until
		s.set(r)
	}
}

func (s *stages) report(v metrics.Values) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.current
	r.Metrics = v
	s.set(r)
}

// set replaces the current record with r. The caller holds mu.
func (s *stages) set(r stage.Record) {
	s.current = r
	select {
	case s.changed <- struct{}{}:
	default: // a write is already pending
	}
}

// schedule requests a log line at the given time, unless a line is due earlier.
// The caller holds mu.
func (s *stages) schedule(at time.Time) {
	if s.lines >= maxStageLines || s.timer != nil && !at.Before(s.due) {
		return
	}
	if s.timer != nil {
		s.timer.Stop()
	}
	s.due, s.timer = at, time.AfterFunc(at.Sub(s.now()), s.writeLine)
}

// scheduleProgress requests a progress line about the current stage. The caller
// holds mu.
func (s *stages) scheduleProgress() {
	if s.lines < maxProgressLines {
		s.schedule(s.pace.progress(s.now()))
	}
}

// writeLine logs the current stage, or schedules the line if the stage is too
// new.
func (s *stages) writeLine() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = nil
	select {
	case <-s.closed:
		return
	default:
	}
	now := s.now()
	if old := s.current.Since.Add(s.intervals.minAge); now.Before(old) {
		s.schedule(s.pace.change(old))
		return
	}
	s.lines++
	s.pace.count(now)
	s.log.Info(s.current.Text(s.log.Redactor.String))
}

func (s *stages) writeFiles() {
	defer close(s.written)
	for {
		select {
		case <-s.changed:
		case <-s.closed:
			return
		}
		timer := time.NewTimer(s.intervals.file)
		select {
		case <-timer.C:
		case <-s.closed:
			timer.Stop()
			return
		}
		s.mu.Lock()
		r := s.current
		s.mu.Unlock()
		_ = stage.Write(s.root, r) // ignore errors, because the file is only for information
	}
}

// close stops the writer and removes the file: a finished task has no stage.
func (s *stages) close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	close(s.closed)
	if s.timer != nil {
		s.timer.Stop()
	}
	s.mu.Unlock()
	<-s.written
	stage.Remove(s.root)
}
