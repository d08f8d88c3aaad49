package kubernetes

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/logtime"
)

// podLog copies the log of a container. A stream that broke is resumed by the
// timestamps of the lines, so that each line is copied once.
//
// The kubelet writes a timestamp before every line of the container; a line
// without one is an error message of the kubelet and is not copied.
type podLog struct {
	out io.Writer
	// lines, behind out, learns the times of the lines; nil: nobody does.
	lines *logtime.Lines

	last  time.Time // of the last line that was copied whole
	equal int       // lines with that timestamp
	bytes int       // copied of the line after it
	rest  []byte    // of that line, read and not copied
	final string    // the last line copied
}

// errWrite says that the reader of the log is gone.
var errWrite = errors.New("write the log")

// maxLogLine is how much of a line is kept until its end comes. A longer line
// is copied in parts.
const maxLogLine = 64 << 10

// query adds to a request where the log is resumed. The API takes whole
// seconds; copy skips the lines that it knows.
func (p *podLog) query(q url.Values) {
	q.Set("timestamps", "true")
	since := p.last
	if since.IsZero() && p.lines != nil {
		since = p.lines.Since
	}
	if !since.IsZero() {
		q.Set("sinceTime", since.UTC().Truncate(time.Second).Format(time.RFC3339))
	}
}

// copy copies what a stream adds. A stream that ends within a line may have
// broken: the part is kept for the next stream, or for finish.
func (p *podLog) copy(stream io.Reader) error {
	s := logStream{podLog: p, Reader: bufio.NewReaderSize(stream, maxLogLine), known: p.equal, since: p.last}
	p.rest = nil
	for {
		if err := s.copyLine(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// finish copies what the container wrote after its last end of a line.
func (p *podLog) finish() error {
	if len(p.rest) == 0 {
		return nil
	}
	p.final = string(p.rest)
	_, err := p.out.Write(p.rest)
	p.rest = nil
	return err
}

// logStream is one answer with a part of a log.
type logStream struct {
	*podLog
	*bufio.Reader
	since time.Time // lines before it are known
	known int       // as many as this with that very timestamp
}

func (s *logStream) copyLine() error {
	text, err := s.ReadSlice('\n')
	at, text, ok := cutTimestamp(text)
	skip := !ok || at.Before(s.since)
	if ok && at.Equal(s.since) && s.known > 0 {
		s.known--
		skip = true
	}
	if !skip && s.lines != nil {
		s.lines.SetTime(at)
	}
	drop := s.bytes // of the line that was copied in part
	for {
		if !skip {
			part := text[min(drop, len(text)):]
			drop -= len(text) - len(part)
			if err := s.add(part, err); err != nil {
				return err
			}
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			break
		}
		text, err = s.ReadSlice('\n')
	}
	if err == nil && !skip {
		s.end(at)
	}
	return err
}

// add copies a part of a line, unless the stream ended in it.
func (s *logStream) add(part []byte, readErr error) error {
	if readErr != nil && !errors.Is(readErr, bufio.ErrBufferFull) {
		s.rest = bytes.Clone(part)
		return nil
	}
	n, err := s.out.Write(part)
	s.bytes += n
	if line := bytes.TrimRight(part, "\r\n"); len(line) > 0 {
		s.final = string(line)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errWrite, err)
	}
	return nil
}

// end notes that a line was copied whole.
func (s *logStream) end(at time.Time) {
	if !at.Equal(s.last) {
		s.last, s.equal = at, 0
	}
	s.equal++
	s.bytes = 0
}

// cutTimestamp splits a line as the kubelet sends it.
func cutTimestamp(line []byte) (at time.Time, text []byte, ok bool) {
	stamp, text, ok := bytes.Cut(line, []byte(" "))
	if !ok {
		return at, line, false
	}
	at, err := time.Parse(time.RFC3339Nano, string(stamp))
	return at, text, err == nil
}
