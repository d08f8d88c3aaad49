// SPDX-License-Identifier: MPL-2.0

package logs

import (
	"bytes"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/printable"
	"github.com/openpai/terraform-provider-openpai/internal/redact"
)

// maxLine is the maximum number of bytes of an incomplete line. Longer lines are
// written in parts.
const maxLine = 1 << 20

// Runtime is the log of the runtime itself and of callbacks. Each line begins with
// the date and time. Runtime is safe for concurrent use, and never interleaves
// lines.
type Runtime struct {
	File     io.Writer
	Copy     io.Writer // the standard error of the container
	Redactor *redact.Redactor
	Now      func() time.Time

	mu     sync.Mutex
	second int64
	prefix string
	out    []byte
}

// Info writes a line at level info.
func (l *Runtime) Info(text string) { l.status(contract.LevelInfo, text) }

// Warning writes a line at level warning.
func (l *Runtime) Warning(text string) { l.status(contract.LevelWarning, text) }

// Error writes a line at level error.
func (l *Runtime) Error(text string) { l.status(contract.LevelError, text) }

// status writes a message as one line. It escapes control characters, which
// text from a server or file may contain.
func (l *Runtime) status(level, text string) {
	text = printable.Escape(strings.ReplaceAll(l.Redactor.String(text), "\n", " "))
	l.lines([]byte("[" + level + "] " + text + "\n"))
}

// lines writes whole lines, each of which ends with a newline.
func (l *Runtime) lines(text []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.Now(); now.Unix() != l.second || l.prefix == "" {
		l.second, l.prefix = now.Unix(), contract.LinePrefix(now)
	}
	l.out = l.out[:0]
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n') + 1
		l.out = append(l.out, l.prefix...)
		l.out = append(l.out, text[:end]...)
		text = text[end:]
	}
	_, _ = l.File.Write(l.out) // ignore errors, because File counts the lost bytes
	_, _ = l.Copy.Write(l.out) // ignore the errors of a closed terminal
}

// CallbackSink splits the output of one callback into log lines. It masks secrets
// before it splits the output: a line prefix must not split a multi-line secret.
type CallbackSink struct {
	redacted *redact.Writer
	lines    *lineWriter
}

// Callback returns the sink for one callback. The sink writes each line to
// the log, and also to the given Tail.
func (l *Runtime) Callback(last *Tail) *CallbackSink {
	lines := &lineWriter{log: l, tail: last}
	return &CallbackSink{redacted: l.Redactor.Writer(lines), lines: lines}
}

// Write accepts all of p.
func (s *CallbackSink) Write(p []byte) (int, error) { return s.redacted.Write(p) }

// Flush writes buffered output and ends an incomplete line.
func (s *CallbackSink) Flush() error {
	err := s.redacted.Flush()
	s.lines.finish()
	return err
}

type lineWriter struct {
	log     *Runtime
	tail    *Tail
	partial []byte
}

func (w *lineWriter) Write(p []byte) (int, error) {
	end := bytes.LastIndexByte(p, '\n') + 1
	if end == 0 {
		w.partial = append(w.partial, p...)
		if len(w.partial) >= maxLine {
			w.finish()
		}
		return len(p), nil
	}
	complete := p[:end]
	if len(w.partial) > 0 {
		complete = append(w.partial, complete...)
	}
	w.emit(complete)
	w.partial = append(w.partial[:0], p[end:]...)
	return len(p), nil
}

// finish writes the incomplete line and adds a newline.
func (w *lineWriter) finish() {
	if len(w.partial) > 0 {
		w.emit(append(w.partial, '\n'))
		w.partial = w.partial[:0]
	}
}

func (w *lineWriter) emit(lines []byte) {
	_, _ = w.tail.Write(lines)
	w.log.lines(lines)
}
