// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/terminal"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

// watchInterval is the interval at which a watch checks for due output.
const watchInterval = time.Second

// watch shows the reasons why jobs wait. On a terminal, it shows them in the live view.
// Otherwise, it prints one line per reason.
type watch struct {
	screen *terminal.Screen
	part   int          // the live view occupies at most 1/part of the terminal's height
	colors bool         // color the live view
	line   func(string) // prints one line
	where  string       // arguments that choose the workspace, for hints
	named  bool         // lines begin with the job name
	now    func() time.Time
	events *eventWriter // replaces lines; nil without --json

	mu   sync.Mutex
	jobs map[hclspec.Address]*watchedJob
	stop chan struct{}
	over sync.WaitGroup
}

type watchedJob struct {
	prefix    string
	announcer announcer
	last      *cluster.Status
}

// newWatch starts a watch that lasts until close is called. A live view uses
// at most 1/part of the terminal. Without a live view, the watch passes each
// line of text to line.
func newWatch(s *Streams, where string, jobs []operation.Job, part int, line func(string)) *watch {
	w := &watch{
		screen: s.screen, part: part, colors: s.errColor, line: line, where: where, named: len(jobs) > 1, now: time.Now,
		jobs: map[hclspec.Address]*watchedJob{}, stop: make(chan struct{}),
	}
	if s.json != nil {
		w.screen = &terminal.Screen{} // events replace the live view
	}
	for _, j := range jobs {
		w.changed(j, &cluster.Status{State: j.State})
	}
	if s.json != nil {
		w.events = s.json.events
	}
	w.over.Go(w.run)
	return w
}

// showCommands enables the lines that report running commands, for callers that
// do not print task output.
func (w *watch) showCommands() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, j := range w.jobs {
		j.announcer.commands = true
	}
}

func printErr(s *Streams) func(string) {
	return func(line string) { fmt.Fprintln(s.err, line) }
}

func (w *watch) run() {
	defer terminal.OnResume(w.screen.Resume)()
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

func (w *watch) changed(j operation.Job, st *cluster.Status) {
	w.mu.Lock()
	defer w.mu.Unlock()
	known := w.jobs[j.Address]
	if known == nil {
		known = &watchedJob{announcer: announcer{job: argumentsOf(w.where, j.Address)}}
		if w.named {
			known.prefix = strings.TrimPrefix(string(j.Address), "job.") + "/"
		}
		w.jobs[j.Address] = known
	}
	known.last = st
	if w.events != nil {
		w.events.changed(j, st)
		return
	}
	w.announce(known)
}

func (w *watch) forget(j operation.Job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.jobs, j.Address)
}

func (w *watch) poll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.screen.Live() {
		w.screen.Show(w.view(), w.part)
		return
	}
	for _, j := range w.jobs {
		w.announce(j)
	}
}

// view returns the lines of the live view. Jobs are in natural order.
func (w *watch) view() []terminal.Line {
	addresses := slices.Collect(maps.Keys(w.jobs))
	slices.SortFunc(addresses, hclspec.CompareNatural)
	jobs := make([]*watchedJob, len(addresses))
	for i, a := range addresses {
		jobs[i] = w.jobs[a]
	}
	return liveView(jobs, w.now(), w.colors)
}

func (w *watch) announce(j *watchedJob) {
	if j.last.State.Finished() || w.screen.Live() || w.events != nil {
		return
	}
	for _, line := range j.announcer.lines(j.prefix, j.last, w.now()) {
		w.line(line)
	}
}

func (w *watch) close() {
	close(w.stop)
	w.over.Wait()
	w.screen.Show(nil, w.part)
}

const (
	// lookPause is the pause between the status requests for two jobs.
	lookPause = 20 * time.Millisecond
	// lookInterval is the pause between two rounds without a live view. With this
	// pause, the watch prints a new reason within 5 seconds.
	lookInterval = 2 * time.Second
)

// look reads the statuses of the jobs in rounds until the context ends. It keeps the
// last known status if a read fails. It calls next after the pause between two
// rounds. During this pause, the caller can report finished jobs in order.
func (w *watch) look(ctx context.Context, jobs []operation.Job, next func()) {
	interval := lookInterval
	switch {
	case w.screen.Live(), w.events != nil:
		interval = watchInterval
	case len(jobs) < 2:
		return // wait reads the status of a single job
	}
	for ctx.Err() == nil {
		for _, j := range jobs {
			if !w.watches(j) {
				continue
			}
			if st, err := j.StatusWithStages(ctx); err == nil && w.watches(j) {
				w.changed(j, st)
			}
			pause(ctx, lookPause)
		}
		pause(ctx, interval)
		if ctx.Err() == nil {
			next()
		}
	}
}

// last returns the last known status of a job, or nil if the job is not watched.
func (w *watch) last(j operation.Job) *cluster.Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	if known := w.jobs[j.Address]; known != nil {
		return known.last
	}
	return nil
}

// watches returns false if the job has finished or is not watched.
func (w *watch) watches(j operation.Job) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	known := w.jobs[j.Address]
	return known != nil && !known.last.State.Finished()
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
