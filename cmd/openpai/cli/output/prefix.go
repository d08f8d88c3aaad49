// SPDX-License-Identifier: MPL-2.0

package output

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/logtime"
	"github.com/openpai/terraform-provider-openpai/internal/printable"
)

// maxLine is the maximum length in bytes of an unterminated line. The rest continues on
// a new line.
const maxLine = 64 << 10

// LineSink lets several writers share one output, one whole line at a time. If a
// line contains carriage returns, as in a progress bar, it prints only the final
// text of the line.
type LineSink struct {
	mu  sync.Mutex
	Out io.Writer
	// Match selects the lines to print; nil selects all lines.
	Match *regexp.Regexp
	// Stamped is true if each line begins with a [logtime.Stamp]. Match is applied
	// to the line without the stamp. A carriage return in the line does not
	// overwrite the stamp.
	Stamped bool
	// Live shows incomplete lines while they change. If Live is nil, only the final
	// text of each line is printed.
	Live Overwriter
}

// Overwriter shows incomplete lines while they change. Overwrite sets the text
// of the line with the given key. An empty text removes the line.
type Overwriter interface {
	Overwrite(key any, text string)
}

// Note writes a line to the given writer, but never within a line of s.
func (s *LineSink) Note(to io.Writer, line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(to, line)
}

// maxBar limits how many bytes of an incomplete line the live view shows.
const maxBar = 1 << 10

func (w *prefixWriter) show(prefix string, line []byte) {
	if w.sink.Live == nil {
		return
	}
	if m := w.sink.Match; m != nil && !m.Match(line) {
		w.hide()
		return
	}
	text := printable.StripSequences(line[:min(len(line), maxBar)])
	w.shown = true
	w.sink.Live.Overwrite(w, prefix+printable.Escape(string(text)))
}

func (w *prefixWriter) hide() {
	if w.shown {
		w.shown = false
		w.sink.Live.Overwrite(w, "")
	}
}

// Prefixed returns a writer that prepends prefix to every line.
func (s *LineSink) Prefixed(prefix string) io.WriteCloser {
	return &prefixWriter{sink: s, prefix: prefix}
}

// Lines returns a writer that calls each with every complete line, without
// the line break. The writer does not write to Out.
func (s *LineSink) Lines(each func(stamp string, line []byte)) io.WriteCloser {
	return &prefixWriter{sink: s, each: each}
}

type prefixWriter struct {
	sink   *LineSink
	prefix string
	each   func(stamp string, line []byte) // if set, receives the lines instead of Out
	rest   []byte
	// shown is true if the live view shows the line.
	shown bool
}

// Write implements io.Writer.
func (w *prefixWriter) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	end := bytes.LastIndexByte(w.rest, '\n') + 1
	if end > 0 {
		if err := w.emit(w.rest[:end]); err != nil {
			return len(p), err
		}
		w.rest = append(w.rest[:0], w.rest[end:]...)
	}
	if i := bytes.IndexByte(w.rest, '\r'); i >= 0 {
		ended := bytes.HasSuffix(w.rest, []byte("\r")) // may be the start of a CRLF line ending
		stamp, line := w.sink.cut(w.rest)
		w.rest = append(w.rest[:len(stamp)], lastShown(line)...)
		if ended {
			w.rest = append(w.rest, '\r')
		}
	}
	switch {
	case len(w.rest) >= maxLine:
		w.rest = append(w.rest, '\n')
		err := w.emit(w.rest)
		w.rest = w.rest[:0]
		return len(p), err
	case w.each == nil && len(w.rest) > 0:
		stamp, line := w.sink.cut(w.rest)
		w.show(w.prefix+string(stamp), lastShown(line))
	}
	return len(p), nil
}

func (s *LineSink) cut(line []byte) (stamp, text []byte) {
	if !s.Stamped {
		return nil, line
	}
	n := min(logtime.Width, len(line))
	return line[:n], line[n:]
}

// lastShown returns the final text of an overwritten line. A terminal may also
// show the end of a longer earlier text; lastShown omits this end.
func lastShown(line []byte) []byte {
	line = bytes.TrimRight(line, "\r")
	return line[bytes.LastIndexByte(line, '\r')+1:]
}

// Close writes the remaining incomplete line. It does not close the shared output.
func (w *prefixWriter) Close() error {
	if len(w.rest) == 0 {
		return nil
	}
	err := w.emit(append(w.rest, '\n'))
	w.rest = nil
	return err
}

// emit writes whole lines.
func (w *prefixWriter) emit(lines []byte) error {
	var b bytes.Buffer
	for line := range bytes.Lines(lines) {
		stamp, line := w.sink.cut(bytes.TrimSuffix(line, []byte("\n")))
		line = lastShown(line)
		if m := w.sink.Match; m != nil && !m.Match(line) {
			continue
		}
		if w.each != nil {
			w.each(strings.TrimSpace(string(stamp)), line)
			continue
		}
		b.WriteString(w.prefix)
		b.Write(stamp)
		b.Write(line)
		b.WriteByte('\n')
	}
	if w.each != nil {
		return nil
	}
	w.hide()
	w.sink.mu.Lock()
	defer w.sink.mu.Unlock()
	_, err := w.sink.Out.Write(b.Bytes())
	return err
}
