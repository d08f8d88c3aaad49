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

// maxMergedLine is the maximum number of bytes of an incomplete line that the
// merged log holds back, so that lines of the two streams do not mix.
const maxMergedLine = 64 << 10

// User writes the logs of the user's commands: one per stream, and one merged
// in the order in which output arrives.
type User struct {
	Stdout, Stderr *UserSink

	mu   sync.Mutex // keeps the same order in all and Tail
	all  *File
	Tail *Tail
}

// OpenUser creates the directories below dir and opens their files. Output is
// also copied to stdout and stderr.
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
		stream := &userStream{logs: u, file: file, copy: s.copy}
		*s.sink = &UserSink{redacted: hide.Writer(stream), stream: stream}
	}
	return u, nil
}

// Close closes the files.
func (u *User) Close() {
	for _, f := range []*File{u.all, u.Stdout.stream.file, u.Stderr.stream.file} {
		_ = f.Close()
	}
}

func (u *User) merge(p []byte) {
	u.mu.Lock()
	defer u.mu.Unlock()
	_, _ = u.all.Write(p)
	_, _ = u.Tail.Write(p)
}

// UserSink masks one stream and passes it on.
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

// lineEnds are the characters at which a line may be cut: progress bars use \r.
const lineEnds = "\n\r"

type userStream struct {
	logs *User
	file *File
	copy io.Writer
	line []byte // the unfinished line, not yet merged
}

func (s *userStream) Write(p []byte) (int, error) {
	_, _ = s.file.Write(p)
	_, _ = s.copy.Write(p) // errors are ignored if there is no reader: the files remain
	end := bytes.LastIndexAny(p, lineEnds) + 1
	switch {
	case end == 0 && len(s.line)+len(p) < maxMergedLine:
		s.line = append(s.line, p...)
		return len(p), nil
	case end == 0:
		end = len(p)
	}
	complete := p[:end]
	if len(s.line) > 0 {
		first := bytes.IndexAny(complete, lineEnds) + 1
		first = cmp.Or(first, end)
		s.line = append(s.line, complete[:first]...)
		s.logs.merge(s.line)
		complete = complete[first:]
	}
	if len(complete) > 0 {
		s.logs.merge(complete)
	}
	s.line = append(s.line[:0], p[end:]...)
	return len(p), nil
}

// finish merges a last line without a newline.
func (s *userStream) finish() {
	if len(s.line) > 0 {
		s.logs.merge(append(s.line, '\n'))
		s.line = s.line[:0]
	}
}
