// SPDX-License-Identifier: MPL-2.0

package logs

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/redact"
)

// maxMergedLine is the maximum size, in bytes, of an incomplete line that the
// merged log holds back. Holding lines back prevents interleaving of the two
// streams.
const maxMergedLine = 64 << 10

// User writes the logs of the user's commands: one log for each stream, and a
// merged log in the order in which output arrives.
type User struct {
	Stdout, Stderr *UserSink

	mu   sync.Mutex // guards the fields all and Tail, so that both receive lines in the same order
	all  *File
	Tail *Tail
	// open is the stream whose incomplete line is at the end of the merged log, or
	// nil.
	open   *userStream
	closed bool
}

// OpenUser creates the directories of the user logs below dir, and opens the
// log files. User also copies output, in whole lines, to stdout and stderr,
// which form the container log. It does not copy a stream whose writer is
// [io.Discard].
func OpenUser(dir string, mode os.FileMode, hide *redact.Redactor, now func() time.Time, stdout, stderr io.Writer) (*User, error) {
	open := func(stream string) (*File, error) {
		if err := os.MkdirAll(filepath.Join(dir, stream), 0o755); err != nil {
			return nil, err
		}
		return OpenFile(filepath.Join(dir, stream, contract.CurrentLog), RotateSize, mode, now), nil
	}
	u := &User{Tail: &Tail{}}
	var err error
	if u.all, err = open(contract.AllDir); err != nil {
		return nil, err
	}
	for _, s := range []struct {
		stream string
		sink   **UserSink
		copy   io.Writer
	}{{contract.StdoutDir, &u.Stdout, stdout}, {contract.StderrDir, &u.Stderr, stderr}} {
		file, err := open(s.stream)
		if err != nil {
			return nil, err
		}
		stream := &userStream{logs: u, file: file}
		if s.copy != io.Discard {
			stream.copy = newContainerCopy(s.copy, now)
		}
		stream.timer = time.AfterFunc(showAfter, stream.show)
		stream.timer.Stop()
		*s.sink = &UserSink{redacted: hide.Writer(stream), stream: stream}
	}
	return u, nil
}

// Close closes the files.
func (u *User) Close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.closed = true
	_ = u.all.Close()
	for _, s := range []*userStream{u.Stdout.stream, u.Stderr.stream} {
		_ = s.file.Close()
		if s.copy != nil {
			s.copy.close()
		}
	}
}

// append writes output of a stream to the merged log. To hide an incomplete line
// of the other stream, append writes a carriage return. The other stream writes
// the hidden line again later.
func (u *User) append(s *userStream, p []byte) {
	if u.open != nil && u.open != s {
		hide := "\r"
		if bytes.HasPrefix(bytes.TrimLeft(p, "\r"), []byte("\n")) {
			hide += " " // carriage returns split a line into parts, and readers show only the last nonempty part
		}
		_, _ = u.all.Write([]byte(hide))
		u.open.shown = 0
		u.open.arm()
	}
	u.open = nil
	_, _ = u.all.Write(p)
}

// UserSink masks the secrets in one stream, and writes the stream to the logs.
type UserSink struct {
	redacted *redact.Writer
	stream   *userStream
}

// Write accepts all of p.
func (s *UserSink) Write(p []byte) (int, error) { return s.redacted.Write(p) }

// Flush writes buffered output and ends an incomplete line.
func (s *UserSink) Flush() error {
	err := s.redacted.Flush()
	s.stream.finish()
	return err
}

// lineEnds are the characters that end a line. They include \r, because progress
// bars use it.
const lineEnds = "\n\r"

const (
	// showAfter is the age at which the merged log shows an incomplete line, for
	// example a progress bar that begins with a carriage return.
	showAfter = 200 * time.Millisecond
	// maxShownLine is the maximum size of an incomplete line that is shown, in
	// bytes.
	maxShownLine = 4 << 10
)

type userStream struct {
	logs *User
	file *File
	copy *containerCopy // nil without a container

	// logs.mu guards the following fields.

	line  []byte // the incomplete line
	shown int    // number of bytes at the start of line that are already in the merged log
	timer *time.Timer
	armed bool // the timer runs
}

func (s *userStream) Write(p []byte) (int, error) {
	_, _ = s.file.Write(p)
	if s.copy != nil {
		_, _ = s.copy.Write(p)
	}
	s.logs.mu.Lock()
	defer s.logs.mu.Unlock()
	end := bytes.LastIndexAny(p, lineEnds) + 1
	if end == 0 && len(s.line)+len(p) >= maxMergedLine {
		end = len(p)
	}
	complete := p[:end]
	if len(s.line) > 0 && end > 0 {
		first := bytes.IndexAny(complete, lineEnds) + 1
		first = cmp.Or(first, end)
		s.line = append(s.line, complete[:first]...)
		s.merge()
		complete = complete[first:]
	}
	if len(complete) > 0 {
		s.logs.append(s, complete)
		_, _ = s.logs.Tail.Write(complete)
	}
	s.line = append(s.line, p[end:]...)
	if len(s.line) > s.shown {
		s.arm()
	}
	return len(p), nil
}

// arm starts the timer that shows the incomplete line.
func (s *userStream) arm() {
	if !s.armed {
		s.armed = true
		s.timer.Reset(showAfter)
	}
}

// merge writes a complete line to the merged log.
func (s *userStream) merge() {
	if s.logs.open != s {
		s.shown = 0
	}
	s.logs.append(s, s.line[s.shown:])
	_, _ = s.logs.Tail.Write(s.line)
	s.line, s.shown = s.line[:0], 0
}

// show writes the incomplete line to the merged log.
func (s *userStream) show() {
	s.logs.mu.Lock()
	defer s.logs.mu.Unlock()
	s.armed = false
	if s.logs.closed || len(s.line) <= s.shown || len(s.line) > maxShownLine {
		return
	}
	s.logs.append(s, s.line[s.shown:])
	s.logs.open, s.shown = s, len(s.line)
}

// finish adds a newline to an incomplete last line.
func (s *userStream) finish() {
	if s.copy != nil {
		s.copy.finish()
	}
	s.logs.mu.Lock()
	defer s.logs.mu.Unlock()
	if len(s.line) > 0 {
		s.line = append(s.line, '\n')
		s.merge()
	}
}
