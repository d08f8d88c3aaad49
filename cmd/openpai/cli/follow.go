package cli

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// await waits for a condition of a job.
func await(ctx context.Context, j runningJob, until cluster.Condition) (*cluster.Status, error) {
	return cluster.Wait(ctx, j.cluster, j.framework, until, nil)
}

// logFilter chooses tasks and logs.
type logFilter struct {
	role       string        // "": all
	index      int           // -1: all
	attempt    attemptNumber // 0: all when following, else the latest
	jobAttempt attemptNumber // the same
	streams    []cluster.Stream
	tail       int
	kept       string // where a log storage is mounted
	// note is told where the log of a task comes from; may be nil.
	note func(taskAttempt, string)
}

// noteOf tells where the log of one task comes from.
func (f logFilter) noteOf(a taskAttempt) func(string) {
	if f.note == nil {
		return nil
	}
	return func(text string) { f.note(a, text) }
}

// everything is the filter of all attempts of all tasks.
func everything(streams ...cluster.Stream) logFilter {
	return logFilter{index: -1, streams: streams}
}

// tail copies the logs of one job while it runs, every attempt of every task.
type tail struct {
	job    runningJob
	filter logFilter
	// open returns where the log of one attempt goes.
	open func(taskAttempt) *prefixWriter
	// note is told what keeps the job from going on.
	note func(string)

	copying sync.WaitGroup
	seen    map[taskAttempt]bool
	trouble string // that was told
	mu      sync.Mutex
	logErr  error // the first of copying
}

// taskAttempt names one try of one task.
type taskAttempt struct {
	role                       string
	index, jobAttempt, attempt int
}

// run copies until the job is finished and every log is complete, and returns
// the last status. A log that cannot be read does not hinder it; see logErr.
func (t *tail) run(ctx context.Context) (*cluster.Status, error) {
	t.seen = map[taskAttempt]bool{}
	last, err := cluster.Wait(ctx, t.job.cluster, t.job.framework, cluster.Finished, func(st *cluster.Status) { t.start(ctx, st) })
	t.copying.Wait()
	return last, err
}

// start begins to copy the logs of attempts that were not there before.
func (t *tail) start(ctx context.Context, st *cluster.Status) {
	if st.Trouble != t.trouble && st.Trouble != "" {
		t.note(fmt.Sprintf("%s: %s", t.job.address, st.Trouble))
	}
	t.trouble = st.Trouble
	for a := range t.filter.begun(st) {
		if t.seen[a] {
			continue
		}
		t.seen[a] = true
		for _, stream := range t.filter.streams {
			t.copying.Go(func() { t.copy(ctx, a, stream) })
		}
	}
}

// begun yields the attempts that the filter accepts and that have a log.
func (f logFilter) begun(st *cluster.Status) iter.Seq[taskAttempt] {
	return func(yield func(taskAttempt) bool) {
		for _, role := range st.TaskRoles {
			for _, task := range role.Tasks {
				for _, a := range task.Attempts {
					name := taskAttempt{role.Name, task.Index, a.JobAttempt, a.Attempt}
					if a.Started != nil && f.accepts(name) && !yield(name) {
						return
					}
				}
			}
		}
	}
}

func (f logFilter) accepts(a taskAttempt) bool {
	return (f.role == "" || f.role == a.role) &&
		(f.index < 0 || f.index == a.index) &&
		(f.attempt == 0 || f.attempt.id() == a.attempt) &&
		(f.jobAttempt == 0 || f.jobAttempt.id() == a.jobAttempt)
}

func (t *tail) copy(ctx context.Context, a taskAttempt, stream cluster.Stream) {
	w := t.open(a)
	err := t.job.cluster.Logs(ctx, cluster.LogRequest{
		Note: t.filter.noteOf(a), Kept: t.filter.kept,
		Framework: t.job.framework, Role: a.role, Index: a.index,
		JobAttempt: a.jobAttempt, Attempt: a.attempt,
		Stream: stream, TailLines: t.filter.tail, Follow: true,
	}, w)
	err = errors.Join(err, w.Close())
	if err == nil || ctx.Err() != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.logErr == nil {
		t.logErr = fmt.Errorf("read the log of %s, task %s[%d]: %w", t.job.address, a.role, a.index, err)
	}
}
