//go:build unix

package runtime

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// pipeSize is what is asked for as the capacity of the pipes that scripts
// write into, and the most that is read after the end of a script before its
// output counts as drained.
const pipeSize = 1 << 20

// sink takes the output of a script. Flush ends what was begun: a line without
// its newline, a secret that might have gone on.
type sink interface {
	Write(p []byte) (int, error)
	Flush() error
}

// source passes what comes out of a pipe on to a sink until nobody holds the
// other end any more.
type source struct {
	file *os.File
	to   sink
	// asks holds the channel to close once the pipe has been read empty.
	syncRequests chan chan struct{}
	done         chan struct{} // closed at the end of the pipe
}

// newSource returns the source and the end of the pipe that scripts write to.
func newSource(to sink) (*source, *os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	enlargePipe(w)
	return openSource(r, to), w, nil
}

// openSource reads from a pipe that exists already.
func openSource(f *os.File, to sink) *source {
	s := &source{file: f, to: to, syncRequests: make(chan chan struct{}, 1), done: make(chan struct{})}
	go s.pump()
	return s
}

func (s *source) pump() {
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
func (s *source) drain(buf []byte) bool {
	_ = s.file.SetReadDeadline(time.Time{})
	for total := 0; total < pipeSize; {
		n, err := readAvailable(s.file, buf)
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

// readAvailable reads what a pipe holds, without waiting for more.
func readAvailable(pipe *os.File, buf []byte) (n int, err error) {
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

// sync returns when everything that was written before the call has reached
// the sink. One caller at a time.
func (s *source) sync() {
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

// waitEOF waits for the end of the pipe and reports whether it came in time.
func (s *source) waitEOF(timeout time.Duration) bool {
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

// close gives up what may still come and returns when the sink has all that
// was read.
func (s *source) close() {
	s.sync()
	_ = s.file.Close()
	<-s.done
}
