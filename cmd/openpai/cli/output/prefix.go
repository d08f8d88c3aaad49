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

// maxLine bounds what is kept of a line that does not end. The rest follows on
// its own line.
const maxLine = 64 << 10

// LineSink lets several writers share one output, a whole line at a time. A line
// that was written over, with carriage returns as progress bars do, is the last
// thing that it showed.
type LineSink struct {
	mu  sync.Mutex
	Out io.Writer
	// Match drops the lines that it does not match; nil keeps all.
	Match *regexp.Regexp
	// Stamped says that each line begins with a [logtime.Stamp], which Match and
	// carriage returns have no effect on.
	Stamped bool
	// Live shows lines that are written over as they change; nil shows only the
	// last of each.
	Live Overwriter
}

// Overwriter shows lines that are written over as they change. An empty text
// removes the line of that key.
type Overwriter interface {
	Overwrite(key any, text string)
}

// Note writes a line to another output, between the lines of this one.
func (s *LineSink) Note(to io.Writer, line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(to, line)
}

// maxBar bounds what is shown of a line that is written over.
const maxBar = 1 << 10

// show replaces the line that is written over.
func (w *prefixWriter) show(prefix string, line []byte) {
	if w.sink.Live == nil {
		return
	}
	text := printable.StripSequences(line[:min(len(line), maxBar)])
	w.shown = true
	w.sink.Live.Overwrite(w, prefix+printable.Escape(string(text)))
}

// hide removes the line that is written over.
func (w *prefixWriter) hide() {
	if w.shown {
		w.shown = false
		w.sink.Live.Overwrite(w, "")
	}
}

// Prefixed returns a writer that puts prefix before every line.
func (s *LineSink) Prefixed(prefix string) io.WriteCloser {
	return &prefixWriter{sink: s, prefix: prefix}
}

// Lines returns a writer that gives each whole line, without its end, to a
// function. Nothing goes to Out.
func (s *LineSink) Lines(each func(stamp string, line []byte)) io.WriteCloser {
	return &prefixWriter{sink: s, each: each}
}

type prefixWriter struct {
	sink   *LineSink
	prefix string
	each   func(stamp string, line []byte) // takes the place of the output
	rest   []byte
	// rewritten says that what is left was written over.
	rewritten bool
	// shown says that it is shown live.
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
		w.rest, w.rewritten = append(w.rest[:0], w.rest[end:]...), false
	}
	if i := bytes.IndexByte(w.rest, '\r'); i >= 0 {
		w.rewritten = true
		ended := bytes.HasSuffix(w.rest, []byte("\r")) // a line end may follow
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
		w.rest, w.rewritten = w.rest[:0], false
		return len(p), err
	case w.rewritten && w.each == nil:
		stamp, line := w.sink.cut(w.rest)
		w.show(w.prefix+string(stamp), lastShown(line))
	}
	return len(p), nil
}

// cut takes the stamp from a line.
func (s *LineSink) cut(line []byte) (stamp, text []byte) {
	if !s.Stamped {
		return nil, line
	}
	n := min(logtime.Width, len(line))
	return line[:n], line[n:]
}

// lastShown is what a terminal shows of a line in the end, unless something short
// was written over something long.
func lastShown(line []byte) []byte {
	line = bytes.TrimRight(line, "\r")
	return line[bytes.LastIndexByte(line, '\r')+1:]
}

// Close writes what is left. The shared output stays open.
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
