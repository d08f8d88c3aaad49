// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/runtime/logs"
)

// Limits for restarting a plugin service that exits: the maximum number of
// restarts, and the pause before the first restart. The pause doubles each time.
const (
	serviceRestarts = 3
	servicePause    = time.Second
)

// background runs the services of plugins until the last end callback has
// ended.
type background struct {
	mu      sync.Mutex
	closing chan struct{} // nil until the first service starts
	closed  bool
	current map[*running]bool // running services; names may repeat
	loops   sync.WaitGroup
}

// serve restarts the service when it exits.
func (b *background) serve(t *task, name, text string) {
	b.mu.Lock()
	if b.closing == nil {
		b.closing, b.current = make(chan struct{}), map[*running]bool{}
	}
	b.mu.Unlock()
	environ := t.env.list(nil)
	b.loops.Go(func() {
		pause := servicePause
		for again := range serviceRestarts + 1 {
			r, err := b.start(t, text, environ)
			switch {
			case err != nil:
				t.log.Warning(name + " could not be started: " + err.Error())
				return
			case r == nil:
				return // the task has ended
			}
			end := b.wait(t, r)
			switch {
			case b.isClosed():
				return
			case again == serviceRestarts:
				t.log.Warning(name + " " + end + "; the runtime does not start it again")
				return
			}
			t.log.Warning(fmt.Sprintf("%s %s; the runtime starts it again in %s", name, end, pause))
			select {
			case <-b.closing:
				return
			case <-time.After(pause):
			}
			pause *= 2
		}
	})
}

// start starts a background script. It returns nil and no error if the task
// is ending.
func (b *background) start(t *task, text string, environ []string) (*running, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, nil
	}
	s := script{commands: []string{text}, environ: environ, stdout: t.log.Callback(&logs.Tail{})}
	r, err := t.startShell(s, func(start func() (*process, error)) (*process, error) { return start() })
	if err == nil {
		b.current[r] = true
	}
	return r, err
}

// wait waits until the output is in the log and all processes of the service have
// ended. It returns the result as a predicate, such as "exited with code 0".
func (b *background) wait(t *task, r *running) string {
	<-r.done
	end := t.exitOutcome(r.status, outcome{}).reason.String()
	end = cmp.Or(end, "exited with code 0")
	terminateGroups([]*running{r})
	for _, src := range r.sources {
		src.WaitEOF(drainTimeout)
		src.Close()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.current, r)
	return end
}

func (b *background) isClosed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.closed
}

// close ends all services, and returns when their output is in the log.
func (b *background) close() {
	b.mu.Lock()
	b.closed = true
	if b.closing != nil {
		close(b.closing)
	}
	all := slices.Collect(maps.Keys(b.current))
	b.mu.Unlock()
	terminateGroups(all)
	b.loops.Wait()
}
