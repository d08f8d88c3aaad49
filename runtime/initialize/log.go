// SPDX-License-Identifier: MPL-2.0

package initialize

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/printable"
	"github.com/openpai/terraform-provider-openpai/internal/redact"
)

// log writes lines to the container's output and to init.log. Failures to
// write the log do not stop init. A log is safe for concurrent use.
type log struct {
	mu             sync.Mutex
	now            func() time.Time
	stdout, stderr io.Writer
	file           *os.File // nil if the log could not be opened
	redactor       *redact.Redactor
	last           []string // for the termination message
}

func openLog(o *Options) *log {
	l := &log{now: o.Now, stdout: o.Stdout, stderr: o.Stderr, redactor: redact.New()}
	f, err := os.OpenFile(filepath.Join(o.LogDir, contract.InitLog), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		l.warning("cannot write the init log: " + err.Error())
		return l
	}
	l.file = f
	return l
}

func (l *log) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		_ = l.file.Close()
		l.file = nil
	}
}

func (l *log) info(text string)    { l.line(l.stdout, contract.LevelInfo, text) }
func (l *log) warning(text string) { l.line(l.stderr, contract.LevelWarning, text) }
func (l *log) error(text string)   { l.line(l.stderr, contract.LevelError, text) }

func (l *log) line(to io.Writer, level, text string) {
	text = printable.Escape(strings.ReplaceAll(l.redactor.String(text), "\n", " "))
	l.writeLine(to, contract.RuntimeLine(l.now(), level, text)+"\n")
}

func (l *log) writeLine(to io.Writer, line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last = append(l.last[max(0, len(l.last)-19):], line)
	_, _ = io.WriteString(to, line)
	if l.file != nil {
		_, _ = io.WriteString(l.file, line)
	}
}

// end returns the last lines of the log.
func (l *log) end() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.last, "")
}

// writer returns a writer that masks secrets in a plugin's output.
func (l *log) writer() *redact.Writer { return l.redactor.Writer(&lines{log: l}) }

type lines struct {
	log     *log
	partial strings.Builder
}

// maxLine is the maximum length of a line, in bytes. Longer lines are split.
const maxLine = 64 << 10

func (w *lines) Write(p []byte) (int, error) {
	for text := range strings.Lines(string(p)) {
		w.partial.WriteString(text)
		if strings.HasSuffix(text, "\n") || w.partial.Len() > maxLine {
			w.flush()
		}
	}
	return len(p), nil
}

func (w *lines) flush() {
	if w.partial.Len() > 0 {
		text := strings.TrimRight(w.partial.String(), "\n")
		w.partial.Reset()
		w.log.writeLine(w.log.stdout, contract.CallbackLine(w.log.now(), text)+"\n")
	}
}

// reportError writes the reason for a failure to the termination message
// file.
func (c *container) reportError(code int, err error) {
	if c.TerminationFile == "" {
		return
	}
	f, openErr := os.OpenFile(c.TerminationFile, os.O_WRONLY|os.O_TRUNC, 0)
	if openErr != nil {
		return // without the file, Kubernetes uses the end of the output
	}
	defer func() { _ = f.Close() }()
	entry, _ := exitspec.Lookup(code)
	record := exitspec.Record{Code: code, UserCode: code, Phrase: entry.Phrase, Stage: "init", Reason: c.log.redactor.String(err.Error()), Hint: entry.Hint}
	_, _ = f.Write(exitspec.Message(record, exitspec.Match{Entry: entry, Code: code}, nil, []byte(c.log.end())))
}
