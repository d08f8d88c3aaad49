package output

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"sync"
)

// maxLine bounds what is kept of a line that does not end. The rest follows on
// a line of its own.
const maxLine = 64 << 10

// LineSink lets several writers share one output, a whole line at a time.
type LineSink struct {
	mu  sync.Mutex
	Out io.Writer
	// Match drops the lines that it does not match; nil keeps all.
	Match *regexp.Regexp
}

// Note writes a line to another output, between the lines of this one.
func (s *LineSink) Note(to io.Writer, line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(to, line)
}

// Prefixed returns a writer that puts prefix before every line.
func (s *LineSink) Prefixed(prefix string) io.WriteCloser {
	return &prefixWriter{sink: s, prefix: prefix}
}

type prefixWriter struct {
	sink   *LineSink
	prefix string
	rest   []byte
}

// Write implements io.Writer.
func (w *prefixWriter) Write(p []byte) (int, error) {
	w.rest = append(w.rest, p...)
	end := bytes.LastIndexByte(w.rest, '\n') + 1
	if end == 0 && len(w.rest) >= maxLine {
		w.rest = append(w.rest, '\n')
		end = len(w.rest)
	}
	if end == 0 {
		return len(p), nil
	}
	err := w.emit(w.rest[:end])
	w.rest = append(w.rest[:0], w.rest[end:]...)
	return len(p), err
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
		if m := w.sink.Match; m != nil && !m.Match(bytes.TrimSuffix(line, []byte("\n"))) {
			continue
		}
		b.WriteString(w.prefix)
		b.Write(line)
	}
	w.sink.mu.Lock()
	defer w.sink.mu.Unlock()
	_, err := w.sink.Out.Write(b.Bytes())
	return err
}
