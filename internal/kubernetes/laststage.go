// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// stageLog finds the stage of a task in the lines of its log. A line without a runtime
// or callback prefix means that the user's commands are running.
type stageLog struct {
	last    *stage.Record // nil if unknown
	metrics metrics.Values
	// known is the start time of the last stage known before the log is read. It
	// becomes zero at the first log line of this stage or a later stage. All
	// lines before that line are older than the known stage.
	known time.Time
}

// newStageLog returns a log without lines. r is the last known stage, or nil.
func newStageLog(r *stage.Record) *stageLog {
	l := &stageLog{last: r}
	if r != nil {
		l.metrics, l.known = r.Metrics, r.Since
	}
	return l
}

func (l *stageLog) read(log []byte) {
	for line := range bytes.Lines(log) {
		l.line(line)
	}
}

// stage returns the last stage and the metrics, or nil if no stage is known.
func (l *stageLog) stage() *stage.Record {
	if l.last == nil {
		return nil
	}
	r := *l.last
	r.Metrics = l.metrics
	return &r
}

// line reports whether the line changed the stage or the metrics.
func (l *stageLog) line(line []byte) (changed bool) {
	if r, ok := stage.ParseLine(line); ok {
		if r.Since.Before(l.known) {
			return false
		}
		l.last, l.known = &r, time.Time{}
		return true
	}
	if v, ok := metrics.ParseLine(line); ok {
		l.metrics = v
		if l.last == nil { // reading started after the stage line
			l.begin(stage.Record{Stage: stage.Commands})
		}
		return true
	}
	own := contract.TrimLinePrefix(line)
	_, bar, _ := contract.CutIncompleteLine(line)
	text, info := strings.CutPrefix(string(bytes.TrimSpace(own)), "["+contract.LevelInfo+"] ")
	switch {
	case text == "":
	case len(own) == len(line), bar, info && text == contract.LogUserCommandStart:
		if l.last == nil || beforeCommands(l.last.Stage) {
			return l.begin(stage.Record{Stage: stage.Commands})
		}
	case info && (l.known.IsZero() || l.last.Stage == stage.Commands || beforeCommands(l.last.Stage)):
		return l.end(text)
	}
	return false
}

// end sets the stage to [stage.Ending] if text reports the end of the commands or
// the start of an end callback.
func (l *stageLog) end(text string) (changed bool) {
	if text == contract.LogUserCommandEnd {
		return l.begin(stage.Record{Stage: stage.Ending})
	}
	running, ok := strings.CutPrefix(text, contract.LogRunning)
	event, step, of := strings.Cut(running, " of ")
	if !ok || !of || event == contract.EventTaskStarts || !slices.Contains(contract.Events, event) {
		return false
	}
	return l.begin(stage.Record{Stage: stage.Ending, Event: event, Step: step})
}

// begin starts a stage whose line has not been read.
func (l *stageLog) begin(r stage.Record) (changed bool) {
	r.Version = stage.Version
	r = r.Safe(strings.Clone)
	l.last = &r
	return true
}

func beforeCommands(n stage.Name) bool {
	return n != stage.Commands && n != stage.Ending && n != stage.Held
}
