// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"io"
	"regexp"
	"slices"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/logtime"
	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// causeWriter copies the runtime log of a task that failed before its commands. It omits
// the prefix of each line, and the lines of the runtime that only mark phases and the
// failure, so that the log is the same on every cluster. If the part that failed printed
// nothing, it adds the reason.
type causeWriter struct {
	to      io.WriteCloser
	exit    *exitspec.Record
	failure *regexp.Regexp // the line with which the runtime reports the failure
	stamped bool           // each line begins with a [logtime.Stamp]
	rest    []byte         // of an incomplete line
}

// maxCauseLine is the length in bytes after which an incomplete line is copied, more
// than the longest line of a runtime log.
const maxCauseLine = 2 << 20

func newCauseWriter(to io.WriteCloser, exit *exitspec.Record, stamped bool) *causeWriter {
	return &causeWriter{
		to: to, exit: exit, stamped: stamped,
		failure: regexp.MustCompile(`^\[` + contract.LevelError + `\] [^ ]+( [^ ]+)? of ` + regexp.QuoteMeta(exit.Step) + ` `),
	}
}

// Write implements io.Writer.
func (w *causeWriter) Write(p []byte) (int, error) {
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
func (w *causeWriter) emit(lines []byte) error {
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

// phases are lines of the runtime that mark phases.
var phases = []string{
	"[" + contract.LevelInfo + "] " + contract.LogPreCommandsStart,
	"[" + contract.LevelInfo + "] " + contract.LogPreCommandsEnd,
}

// omits reports whether a line is of the runtime and does not show the cause. text is
// the line without its prefix.
func (w *causeWriter) omits(line, text []byte) bool {
	if len(text) == len(line) {
		return false // not from a runtime log
	}
	own := string(bytes.TrimRight(text, "\r\n"))
	if slices.Contains(w.exit.LastLines, own) {
		return false // the output of a callback looks the same
	}
	return slices.Contains(phases, own) || stage.IsLine(line) || metrics.IsLine(line) || w.failure.MatchString(own)
}

// Close copies the rest, and the reason if the failed part printed nothing.
func (w *causeWriter) Close() error {
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
	return w.to.Close()
}
