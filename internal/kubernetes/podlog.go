// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/logtime"
)

// podLog copies the log of a container. It uses the timestamps of the lines
// to resume a broken stream, and copies each line only once.
//
// The kubelet writes a timestamp before every line of the container's output.
// podLog skips lines without a timestamp, which are error messages of the
// kubelet.
type podLog struct {
	out io.Writer
	// If the field lines is not nil, the writer out must pass its output to
	// lines. Before podLog writes a line to out, it calls lines.SetTime with
	// the timestamp of the line.
	lines *logtime.Lines
	// each, if not nil, receives each new line, or the first part of a long
	// line.
	each func(line []byte)

	last  time.Time // timestamp of the last completely copied line
	equal int       // number of lines with that timestamp
	bytes int       // number of copied bytes of the next line
	rest  []byte    // bytes of that line that have been read but not copied
	final string    // the last line copied, except for lines of the runtime
}

// errWrite reports a failed write to the destination of the log, for example
// a closed pipe.
var errWrite = errors.New("write the log")

// maxLogLine is the maximum number of buffered bytes of an incomplete line.
// Longer lines are copied in parts.
const maxLogLine = 64 << 10

// query sets the time from which a log request resumes. The API accepts only
// whole seconds, so the response may repeat lines. The method copy skips the
// repeated lines.
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

// copy copies the new lines of a stream. It keeps an incomplete last line for
// the next stream or for finish, because the stream may have been interrupted.
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

// finish copies the container output that follows the last newline.
func (p *podLog) finish() error {
	if len(p.rest) == 0 {
		return nil
	}
	p.final = string(p.rest)
	_, err := p.out.Write(p.rest)
	p.rest = nil
	return err
}

// logStream is one response with part of a log.
type logStream struct {
	*podLog
	*bufio.Reader
	since time.Time // earlier lines are known
	known int       // number of copied lines with this exact timestamp
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
	if !skip && s.each != nil && !errors.Is(err, io.EOF) {
		s.each(text)
	}
	drop := s.bytes // number of bytes of this line that an earlier stream copied
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

// add copies a part of a line. If the stream ended within the line, add
// stores the part in s.rest instead.
func (s *logStream) add(part []byte, readErr error) error {
	if readErr != nil && !errors.Is(readErr, bufio.ErrBufferFull) {
		s.rest = bytes.Clone(part)
		return nil
	}
	n, err := s.out.Write(part)
	s.bytes += n
	if line := bytes.TrimRight(part, "\r\n"); len(line) > 0 && !ofRuntime(line) {
		s.final = string(line)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errWrite, err)
	}
	return nil
}

// ofRuntime reports whether a line is from the runtime or a callback. The exit record does
// not contain such lines.
func ofRuntime(line []byte) bool {
	is, _ := contract.IsRuntimeLine(line)
	return is
}

// end is called when a line was copied completely.
func (s *logStream) end(at time.Time) {
	if !at.Equal(s.last) {
		s.last, s.equal = at, 0
	}
	s.equal++
	s.bytes = 0
}

func cutTimestamp(line []byte) (at time.Time, text []byte, ok bool) {
	stamp, text, ok := bytes.Cut(line, []byte(" "))
	if !ok {
		return at, line, false
	}
	at, err := time.Parse(time.RFC3339Nano, string(stamp))
	return at, text, err == nil
}
