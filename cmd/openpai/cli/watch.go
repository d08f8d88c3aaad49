package cli

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

// watchInterval is how often a wait looks whether something is to be printed.
const watchInterval = time.Second

// watch prints for what jobs wait while a command waits for them.
type watch struct {
	line   func(string) // prints one
	repeat bool
	named  bool // lines begin with the job
	now    func() time.Time

	mu   sync.Mutex
	jobs map[string]*watchedJob
	stop chan struct{}
	over sync.WaitGroup
}

type watchedJob struct {
	prefix    string
	announcer announcer
	last      *cluster.Status
}

// newWatch begins to watch; close ends that. Each line goes to line.
func newWatch(s *Streams, several bool, line func(string)) *watch {
	w := &watch{
		line: line, repeat: !s.errTerminal, named: several, now: time.Now,
		jobs: map[string]*watchedJob{}, stop: make(chan struct{}),
	}
	w.over.Go(w.run)
	return w
}

// printErr prints a line to standard error.
func printErr(s *Streams) func(string) {
	return func(line string) { fmt.Fprintln(s.err, line) }
}

func (w *watch) run() {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			w.poll()
		case <-w.stop:
			return
		}
	}
}

// changed notes the status of a job.
func (w *watch) changed(j operation.Job, st *cluster.Status) {
	w.mu.Lock()
	defer w.mu.Unlock()
	known := w.jobs[string(j.Address)]
	if known == nil {
		known = &watchedJob{announcer: announcer{repeat: w.repeat}}
		if w.named {
			known.prefix = strings.TrimPrefix(string(j.Address), "job.") + "/"
		}
		w.jobs[string(j.Address)] = known
	}
	known.last = st
	w.announce(known)
}

// forget ends the lines about a job that is not waited for any more.
func (w *watch) forget(j operation.Job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.jobs, string(j.Address))
}

func (w *watch) poll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, j := range w.jobs {
		w.announce(j)
	}
}

func (w *watch) announce(j *watchedJob) {
	if j.last.State.Finished() {
		return
	}
	for _, line := range j.announcer.lines(j.prefix, j.last, w.now()) {
		w.line(line)
	}
}

func (w *watch) close() {
	close(w.stop)
	w.over.Wait()
}
