//go:build unix

package runtime

import (
	"context"
	"errors"
	"os"
	"sync"
	"syscall"
	"time"
)

// stopper passes signals on to the script that runs and remembers that the
// task was asked to stop. SIGTERM, SIGINT, SIGQUIT and the end of the context
// (as SIGTERM) ask for it; every other signal is only passed on.
type stopper struct {
	mu        sync.Mutex
	current   *process
	shielded  bool // current receives no request to stop
	stoppedAt time.Time
	requested chan struct{} // closed at the first request
	done      chan struct{}
}

func newStopper(ctx context.Context, signals <-chan os.Signal) *stopper {
	s := &stopper{requested: make(chan struct{}), done: make(chan struct{})}
	go s.listen(ctx, signals)
	return s
}

func (s *stopper) listen(ctx context.Context, signals <-chan os.Signal) {
	canceled := ctx.Done()
	for {
		select {
		case sig, ok := <-signals:
			if !ok {
				signals = nil
			} else if number, ok := sig.(syscall.Signal); ok {
				s.receive(number)
			}
		case <-canceled:
			canceled = nil
			s.receive(syscall.SIGTERM)
		case <-s.done:
			return
		}
	}
}

func (s *stopper) receive(sig syscall.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	stop := sig == syscall.SIGTERM || sig == syscall.SIGINT || sig == syscall.SIGQUIT
	if stop && s.stoppedAt.IsZero() {
		s.stoppedAt = time.Now()
		close(s.requested)
	}
	if s.current != nil && !(stop && s.shielded) {
		s.current.signal(sig)
	}
}

// start starts a script that signals are passed on to until release is called. A
// script that is not shielded is not started any more once a stop was asked
// for; started is then nil and so is the error.
func (s *stopper) start(shielded bool, start func() (*process, error)) (started *process, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !shielded && !s.stoppedAt.IsZero() {
		return nil, nil
	}
	p, err := start()
	if err == nil {
		s.current, s.shielded = p, shielded
	}
	return p, err
}

// signalCurrent signals the script that runs.
func (s *stopper) signalCurrent(sig syscall.Signal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil {
		s.current.signal(sig)
	}
}

func (s *stopper) release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current = nil
}

// stopped returns since when the task is asked to stop.
func (s *stopper) stopped() (since time.Time, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stoppedAt, !s.stoppedAt.IsZero()
}

func (s *stopper) close() { close(s.done) }

// errStopped is the cause of contexts that a stop ended.
var errStopped = errors.New("the task was asked to stop")

// untilStop returns a context that a stop ends, too.
func (t *task) untilStop(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		select {
		case <-t.stop.requested:
			cancel(errStopped)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { cancel(nil) }
}
