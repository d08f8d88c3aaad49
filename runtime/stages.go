package runtime

import (
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/runtime/logs"
)

// stageIntervals is how often a stage is written.
type stageIntervals struct {
	// file is between a change and the file; changes within it are one.
	file time.Duration
	// minAge is how long a stage lasts before it gets a line in the log, so that
	// tasks without long stages have none.
	minAge time.Duration
	// line is the least time between two lines.
	line time.Duration
	// hold is how long an end callback runs before it holds the task.
	hold time.Duration
	// release is how often a held task looks for the request to release it.
	release time.Duration
	// metrics is how often the task's metrics are read.
	metrics time.Duration
}

var defaultIntervals = stageIntervals{
	file: 50 * time.Millisecond, minAge: 2 * time.Second, line: 10 * time.Second,
	hold: 10 * time.Second, release: 250 * time.Millisecond,
	metrics: time.Second,
}

// The lines of one attempt are bounded. Progress within a stage uses only a part
// of them, so that later stages still have a line.
const (
	maxStageLines    = 200
	maxProgressLines = 150
)

// stages keeps the stage record of a task and repeats it in the log of the
// runtime. The file is written by another goroutine: a task does not wait for
// its stage. The methods may be called on nil, before there is a log.
type stages struct {
	root      string
	log       *logs.Runtime
	now       func() time.Time
	intervals stageIntervals

	mu       sync.Mutex
	current  stage.Record
	lines    int
	lastLine time.Time
	due      *time.Timer   // the next line, nil when none is due
	changed  chan struct{} // holds one element while the file is behind
	closed   chan struct{}
	written  chan struct{} // closed when nothing writes the file any more
}

func newStages(root string, log *logs.Runtime, now func() time.Time, intervals stageIntervals) *stages {
	s := &stages{
		root: root, log: log, now: now, intervals: intervals,
		changed: make(chan struct{}, 1), closed: make(chan struct{}), written: make(chan struct{}),
	}
	go s.writeFiles()
	return s
}

// enter begins a stage and returns when.
func (s *stages) enter(r stage.Record) (since time.Time) {
	if s == nil {
		return time.Time{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Since, r.Metrics = s.now().UTC(), s.current.Metrics
	s.set(r.Safe(s.log.Redactor.String))
	s.schedule(s.intervals.minAge)
	return r.Since
}

// progress notes how far the download of the current stage is.
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
	r.Fetch = &p
	s.set(r)
	if s.lines < maxProgressLines {
		s.schedule(0)
	}
}

// report notes the metrics of the task.
func (s *stages) report(v metrics.Values) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.current
	r.Metrics = v
	s.set(r)
}

// set makes r the current record. The caller holds mu.
func (s *stages) set(r stage.Record) {
	s.current = r
	select {
	case s.changed <- struct{}{}:
	default: // the file is behind already
	}
}

// schedule asks for a line after the delay, or when the intervals allow the next
// one. The caller holds mu.
func (s *stages) schedule(delay time.Duration) {
	if s.due != nil || s.lines >= maxStageLines {
		return
	}
	if !s.lastLine.IsZero() {
		delay = max(delay, s.intervals.line-s.now().Sub(s.lastLine))
	}
	s.due = time.AfterFunc(delay, s.writeLine)
}

// writeLine writes the current stage to the log. A stage that has just begun
// waits until it is old enough.
func (s *stages) writeLine() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.due = nil
	select {
	case <-s.closed:
		return
	default:
	}
	now := s.now()
	if age := now.Sub(s.current.Since); age < s.intervals.minAge {
		s.schedule(s.intervals.minAge - max(age, 0))
		return
	}
	s.lines++
	s.lastLine = now
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
		_ = stage.Write(s.root, r) // it is for people only
	}
}

// close ends the writing and removes the file: a task that is over has no stage.
func (s *stages) close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	close(s.closed)
	if s.due != nil {
		s.due.Stop()
	}
	s.mu.Unlock()
	<-s.written
	stage.Remove(s.root)
}
