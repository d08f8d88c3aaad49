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

// A service of a plugin that ends on its own is started again a few times, after
// a pause that grows.
const (
	serviceRestarts = 3
	servicePause    = time.Second
)

// background are the services that plugins keep running until the last end
// callback has ended.
type background struct {
	mu      sync.Mutex
	closing chan struct{} // nil until the first service
	closed  bool
	current map[*running]bool // those that run; names may be the same
	loops   sync.WaitGroup
}

// serve starts a service and watches over it.
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
				t.log.Warning(name + " " + end + "; it is not started again")
				return
			}
			t.log.Warning(fmt.Sprintf("%s %s; it is started again in %s", name, end, pause))
			select {
			case <-b.closing:
				return
			case <-time.After(pause):
			}
			pause *= 2
		}
	})
}

// start starts a service once; nil without an error means that the task ends.
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

// wait returns how a service ended, when its output is in the log and nothing
// of it runs any more.
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

// close ends all services and returns when their output is in the log.
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
