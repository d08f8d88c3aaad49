// SPDX-License-Identifier: MPL-2.0

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

// stopper forwards signals to the running script, and records a request to stop the
// task. SIGTERM, SIGINT, SIGQUIT and the end of the context (as SIGTERM) request a
// stop. The stopper forwards other signals, but does not record a stop for them.
type stopper struct {
	mu        sync.Mutex
	current   *process
	shielded  bool // set if the current process does not receive stop signals
	stoppedAt time.Time
	requested chan struct{} // closed on the first stop request
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

// start starts a script, which receives signals until the caller calls
// release. After a stop request, start returns a nil process and a nil error
// unless the script is shielded.
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

// stopped returns the time of the stop request, if any.
func (s *stopper) stopped() (since time.Time, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stoppedAt, !s.stoppedAt.IsZero()
}

func (s *stopper) close() { close(s.done) }

// errStopped is the cause of a context that a stop request canceled.
var errStopped = errors.New("the task received a stop request")

// untilStop returns a context that a stop request cancels.
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
