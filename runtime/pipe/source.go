// SPDX-License-Identifier: MPL-2.0

//go:build unix

package pipe

import (
	"errors"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

// size is the requested capacity of a script's pipe, in bytes. The method
// drain stops after it has read this number of bytes.
const size = 1 << 20

// Sink receives the output of a script. Flush writes the data that the sink still
// holds, such as the possible start of a secret, and ends an incomplete line.
type Sink interface {
	Write(p []byte) (int, error)
	Flush() error
}

// Source copies data from a pipe to a sink until all writers have closed the
// pipe.
type Source struct {
	file *os.File
	to   Sink
	// syncRequests receives channels. The reader closes a channel when it has read
	// all data in the pipe.
	syncRequests chan chan struct{}
	done         chan struct{} // closed at the end of the pipe

	order   *order      // reads several pipes; nil if the source reads its own pipe
	closing atomic.Bool // set if the next sync request ends the source; used only with order
}

// NewSource returns a source and the write end of its pipe, to which scripts
// write.
func NewSource(to Sink) (*Source, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	enlarge(w)
	return OpenSource(r, to), w, nil
}

// OpenSource returns a source that reads from an existing pipe.
func OpenSource(f *os.File, to Sink) *Source {
	s := newSource(f, to)
	go s.pump()
	return s
}

func newSource(f *os.File, to Sink) *Source {
	return &Source{file: f, to: to, syncRequests: make(chan chan struct{}, 1), done: make(chan struct{})}
}

func (s *Source) pump() {
	defer close(s.done)
	defer func() { _ = s.to.Flush() }()
	buf := make([]byte, 256<<10)
	for {
		n, err := s.file.Read(buf)
		if n > 0 {
			_, _ = s.to.Write(buf[:n]) // the sink counts bytes that it cannot write
		}
		switch {
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded):
			if !s.drain(buf) {
				return
			}
		default:
			return
		}
	}
}

// drain reads the data currently in the pipe, and answers the sync request. It
// returns false at the end of the pipe.
func (s *Source) drain(buf []byte) bool {
	_ = s.file.SetReadDeadline(time.Time{})
	for total := 0; total < size; {
		n, err := ReadAvailable(s.file, buf)
		if n == 0 && err == nil {
			return false
		}
		if n <= 0 {
			break
		}
		_, _ = s.to.Write(buf[:n])
		total += n
	}
	_ = s.to.Flush()
	select {
	case ask := <-s.syncRequests:
		close(ask)
	default:
	}
	return true
}

// ReadAvailable reads the data that is currently in a pipe. It does not wait for
// more data.
func ReadAvailable(pipe *os.File, buf []byte) (n int, err error) {
	raw, err := pipe.SyscallConn()
	if err != nil {
		return 0, err
	}
	if e := raw.Read(func(fd uintptr) bool {
		for {
			n, err = syscall.Read(int(fd), buf)
			if !errors.Is(err, syscall.EINTR) {
				return true
			}
		}
	}); e != nil {
		return 0, e
	}
	return n, err
}

// Sync returns when all data that was written before the call has reached the sink.
// It must not be called concurrently.
func (s *Source) Sync() {
	ask := make(chan struct{})
	select {
	case s.syncRequests <- ask:
	case <-s.done:
		return
	}
	_ = s.polled().SetReadDeadline(time.Unix(1, 0))
	select {
	case <-ask:
	case <-s.done:
	}
}

// polled returns the file whose read deadline wakes the reader.
func (s *Source) polled() *os.File {
	if s.order != nil {
		return s.order.poll
	}
	return s.file
}

// WaitEOF waits for the end of the pipe. If the timeout expires first, it returns
// false.
func (s *Source) WaitEOF(timeout time.Duration) bool {
	select {
	case <-s.done:
		return true
	default:
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-s.done:
		return true
	case <-timer.C:
		return false
	}
}

// Close stops reading, and returns when the sink has received all data read so far.
func (s *Source) Close() {
	s.closing.Store(true)
	s.Sync()
	if s.order != nil {
		<-s.done
		return
	}
	_ = s.file.Close()
	<-s.done
}
