//go:build unix

package pipe

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// size is what is asked for as the capacity of the pipes that scripts
// write into, and the most that is read after the end of a script before its
// output counts as drained.
const size = 1 << 20

// Sink takes the output of a script. Flush ends what was begun: a line without
// its newline, a secret that might have gone on.
type Sink interface {
	Write(p []byte) (int, error)
	Flush() error
}

// Source passes what comes out of a pipe on to a sink until nobody holds the
// other end any more.
type Source struct {
	file *os.File
	to   Sink
	// asks holds the channel to close once the pipe has been read empty.
	syncRequests chan chan struct{}
	done         chan struct{} // closed at the end of the pipe
}

// NewSource returns the source and the end of the pipe that scripts write to.
func NewSource(to Sink) (*Source, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	enlarge(w)
	return OpenSource(r, to), w, nil
}

// OpenSource reads from a pipe that exists already.
func OpenSource(f *os.File, to Sink) *Source {
	s := &Source{file: f, to: to, syncRequests: make(chan chan struct{}, 1), done: make(chan struct{})}
	go s.pump()
	return s
}

func (s *Source) pump() {
	defer close(s.done)
	defer func() { _ = s.to.Flush() }()
	buf := make([]byte, 256<<10)
	for {
		n, err := s.file.Read(buf)
		if n > 0 {
			_, _ = s.to.Write(buf[:n]) // a sink that cannot write counts what is lost
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

// drain reads what is in the pipe now and answers who asked for it. It returns
// false at the end of the pipe.
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

// ReadAvailable reads what a pipe holds, without waiting for more.
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

// Sync returns when everything that was written before the call has reached
// the sink. One caller at a time.
func (s *Source) Sync() {
	ask := make(chan struct{})
	select {
	case s.syncRequests <- ask:
	case <-s.done:
		return
	}
	_ = s.file.SetReadDeadline(time.Unix(1, 0))
	select {
	case <-ask:
	case <-s.done:
	}
}

// WaitEOF waits for the end of the pipe and reports whether it came in time.
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

// Close gives up what may still come and returns when the sink has all that
// was read.
func (s *Source) Close() {
	s.Sync()
	_ = s.file.Close()
	<-s.done
}
