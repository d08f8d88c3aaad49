// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/logtime"
	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// CopyCause copies the output of the step that made an attempt fail before its commands
// started. r selects the attempt and the number of lines. r.Stream and r.Note have no
// effect.
func CopyCause(ctx context.Context, c Cluster, r LogRequest, exit *exitspec.Record, w io.Writer) error {
	last, out := &LastLines{Limit: r.TailLines}, w
	if r.TailLines > 0 {
		out = last
	}
	r.Stream, r.TailLines, r.Note = StreamRuntime, 0, nil
	cause := NewCauseWriter(out, exit, r.Stamp)
	err := errors.Join(c.Logs(ctx, r, cause), cause.Close())
	if err != nil || out == w {
		return err
	}
	_, err = w.Write(last.Bytes())
	return err
}

// CauseStep returns the step that made an attempt fail before its commands started.
// The result is a prerequisite address, "runtime", or "" for any other exit.
func CauseStep(exit *exitspec.Record) string {
	if exit == nil || !exit.BeforeCommands() {
		return ""
	}
	return cmp.Or(exit.Step, "runtime")
}

// CauseWriter copies the runtime log of a task that failed before its commands started.
// It omits line prefixes, the output of other steps and callbacks, and the runtime
// lines for phases and the failure. The output is therefore the same on every cluster.
// If the failed step did not print anything, CauseWriter adds the reason.
type CauseWriter struct {
	to      io.Writer
	exit    *exitspec.Record
	failure *regexp.Regexp // matches the runtime's line that reports the failure
	stamped bool           // each line begins with a [logtime.Stamp]
	rest    []byte         // of an incomplete line
	// running is the step or callback that printed the current lines. It is "" if
	// the runtime did not log the step or callback.
	running string
}

// maxCauseLine is the number of bytes after which CauseWriter copies an
// incomplete line. Lines of the runtime are shorter.
const maxCauseLine = 2 << 20

// NewCauseWriter returns a CauseWriter that writes to the given writer. exit is
// the exit record of the attempt. The field exit.LastLines identifies callback
// output that looks like runtime lines.
func NewCauseWriter(to io.Writer, exit *exitspec.Record, stamped bool) *CauseWriter {
	return &CauseWriter{
		to: to, exit: exit, stamped: stamped,
		failure: regexp.MustCompile(`^\[` + contract.LevelError + `\] [^ ]+( [^ ]+)? of ` + regexp.QuoteMeta(exit.Step) + ` `),
	}
}

// Write implements io.Writer.
func (w *CauseWriter) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	end := bytes.LastIndexByte(w.rest, '\n') + 1
	if end == 0 && len(w.rest) > maxCauseLine {
		end = len(w.rest)
	}
	err := w.emit(w.rest[:end])
	w.rest = append(w.rest[:0], w.rest[end:]...)
	return len(p), err
}

// emit copies whole lines.
func (w *CauseWriter) emit(lines []byte) error {
	var out []byte
	for line := range bytes.Lines(lines) {
		stampEnd := 0
		if w.stamped {
			stampEnd = min(logtime.Width, len(line))
		}
		stamp, line := line[:stampEnd], line[stampEnd:]
		if text := contract.TrimLinePrefix(line); !w.omits(line, text) {
			out = append(append(out, stamp...), text...)
		}
	}
	if len(out) == 0 {
		return nil
	}
	_, err := w.to.Write(out)
	return err
}

// phases contains the runtime lines for the start and end of the pre commands.
// These lines do not show the cause of a failure.
var phases = []string{
	"[" + contract.LevelInfo + "] " + contract.LogPreCommandsStart,
	"[" + contract.LevelInfo + "] " + contract.LogPreCommandsEnd,
}

// omits reports whether a line is from another part of the task or does not show
// the cause. text is the line without its prefix.
func (w *CauseWriter) omits(line, text []byte) bool {
	if len(text) == len(line) {
		return false // not from a runtime log
	}
	own := string(bytes.TrimRight(text, "\r\n"))
	ofCallback := slices.Contains(w.exit.LastLines, own) // may look like a runtime line
	if running, ok := strings.CutPrefix(own, "["+contract.LevelInfo+"] "+contract.LogRunning); ok && !ofCallback {
		w.running = running
		return true
	}
	if w.running != "" && w.exit.Step != "" && w.running != w.exit.Step {
		return true
	}
	if ofCallback {
		return false
	}
	return slices.Contains(phases, own) || stage.IsLine(line) || metrics.IsLine(line) || w.failure.MatchString(own)
}

// Close copies the last incomplete line. If the failed step did not print anything,
// Close adds the reason.
func (w *CauseWriter) Close() error {
	if len(w.rest) > 0 {
		if err := w.emit(append(w.rest, '\n')); err != nil {
			return err
		}
	}
	if len(w.exit.LastLines) == 0 && w.exit.Reason != "" {
		line := w.exit.Reason + "\n"
		if w.stamped {
			line = logtime.Stamp(w.exit.Finished) + line
		}
		if _, err := io.WriteString(w.to, line); err != nil {
			return err
		}
	}
	return nil
}
