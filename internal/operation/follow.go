// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// LogFilter selects the logs of tasks.
type LogFilter struct {
	Role       string // "": all
	Index      int    // -1: all
	Attempt    int    // -1: all if the logs are followed, otherwise the latest
	JobAttempt int    // -1: like Attempt
	Streams    []cluster.Stream
	TailLines  int       // 0: all
	Since      time.Time // only lines since this time; zero for all
	Stamp      bool      // whether lines start with their timestamp
	Kept       string    // mount path of a log storage
}

// AllLogs returns the filter for all attempts of all tasks.
func AllLogs(streams ...cluster.Stream) LogFilter {
	return LogFilter{Index: -1, Attempt: -1, JobAttempt: -1, Streams: streams}
}

// Started yields the selected attempts that have started and did not end before
// f.Since.
func (f LogFilter) Started(st *cluster.Status) iter.Seq[cluster.AttemptID] {
	return func(yield func(cluster.AttemptID) bool) {
		for _, role := range st.TaskRoles {
			for _, task := range role.Tasks {
				for _, a := range task.Attempts {
					name := cluster.AttemptID{Role: role.Name, Index: task.Index, JobAttempt: a.JobAttempt, Attempt: a.Attempt}
					if a.Started != nil && f.accepts(name) && !f.over(a) && !yield(name) {
						return
					}
				}
			}
		}
	}
}

// over reports whether an attempt ended before f.Since.
func (f LogFilter) over(a cluster.TaskAttempt) bool {
	return a.Finished != nil && a.Finished.Before(f.Since)
}

func (f LogFilter) accepts(a cluster.AttemptID) bool {
	return f.AcceptsTask(a.Role, a.Index) &&
		(f.Attempt < 0 || f.Attempt == a.Attempt) &&
		(f.JobAttempt < 0 || f.JobAttempt == a.JobAttempt)
}

// AcceptsTask reports whether the filter selects any attempt of a task.
func (f LogFilter) AcceptsTask(role string, index int) bool {
	return (f.Role == "" || f.Role == role) && (f.Index < 0 || f.Index == index)
}

// LogReporter receives the logs of a job. Its methods may be called
// concurrently.
type LogReporter interface {
	// Open returns a writer for one attempt. If step is "", the writer receives the
	// log of the attempt. Otherwise, it receives the output of the failed step; see
	// [cluster.CauseStep].
	Open(j Job, a cluster.AttemptID, step string) io.WriteCloser
	// Source reports the source of a task's log if the cluster has several
	// sources.
	Source(j Job, a cluster.AttemptID, text message.Text)
	// Gap reports that lines may be missing from a log.
	Gap(j Job, a cluster.AttemptID, text message.Text)
	// Follow calls Changed after every change to the status.
	Changed(j Job, s *cluster.Status)
	// Follow calls Problem after a change to the problem that blocks the job.
	Problem(j Job, s *cluster.Status)
}

// Follow copies the logs of a job until the job is finished and every log is
// complete. It returns the last status. If a log cannot be read, Follow
// continues and returns the first such error as logErr.
func Follow(ctx context.Context, j Job, f LogFilter, r LogReporter) (last *cluster.Status, logErr, err error) {
	t := &follower{job: j, filter: f, reporter: r, seen: map[cluster.AttemptID]bool{}, copies: map[logOf]chan struct{}{}}
	last, err = j.WaitAttempts(ctx, cluster.Finished,
		func(st *cluster.Status) { t.changed(ctx, st) },
		func(a cluster.AttemptID) {
			if f.accepts(a) {
				t.start(ctx, a, false)
			}
		})
	t.copying.Wait()
	return last, t.err, err
}

// earlierLogTime limits how long a log waits for the log of an earlier attempt.
// The earlier log may never end, for example on a lost node.
const earlierLogTime = 10 * time.Second

// logOf identifies one of a task's logs.
type logOf struct {
	role   string
	index  int
	stream cluster.Stream
}

// follower copies the logs of all task attempts. While the job runs, follower
// copies logs concurrently, because the cluster may delete a log before follower
// reads it. Once the job is finished, follower copies the logs of a task in attempt
// order.
type follower struct {
	job      Job
	filter   LogFilter
	reporter LogReporter

	copying sync.WaitGroup
	problem message.Text // the last one reported
	mu      sync.Mutex
	seen    map[cluster.AttemptID]bool
	copies  map[logOf]chan struct{} // closed when the latest attempt is copied
	err     error                   // the first error from copying
}

// changed handles a new status: it calls the reporter and starts to copy the
// logs of selected attempts.
func (t *follower) changed(ctx context.Context, st *cluster.Status) {
	if !st.Problem.Equal(t.problem) && !st.Problem.Empty() {
		t.reporter.Problem(t.job, st)
	}
	t.problem = st.Problem
	t.reporter.Changed(t.job, st)
	for a := range t.filter.Started(st) {
		t.start(ctx, a, st.State.Finished())
	}
}

// start begins copying the logs of an attempt. Later calls for the attempt have
// no effect. If ordered is true, each log waits for the log of the earlier
// attempt.
func (t *follower) start(ctx context.Context, a cluster.AttemptID, ordered bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.seen[a] {
		return
	}
	t.seen[a] = true
	for _, stream := range t.filter.Streams {
		log := logOf{a.Role, a.Index, stream}
		earlier, done := t.copies[log], make(chan struct{})
		t.copies[log] = done
		t.copying.Go(func() {
			defer close(done)
			if ordered {
				after(ctx, earlier)
			}
			t.copy(ctx, a, stream)
		})
	}
}

// after waits until earlier is closed, but not longer than earlierLogTime.
// earlier is nil if there is no earlier attempt.
func after(ctx context.Context, earlier <-chan struct{}) {
	if earlier == nil {
		return
	}
	limit := time.NewTimer(earlierLogTime)
	defer limit.Stop()
	select {
	case <-earlier:
	case <-limit.C:
	case <-ctx.Done():
	}
}

func (t *follower) copy(ctx context.Context, a cluster.AttemptID, stream cluster.Stream) {
	err := t.job.CopyLog(ctx, a, stream, true, t.filter, t.reporter)
	if err == nil || ctx.Err() != nil || errors.Is(err, cluster.ErrStalled) { // Follow returns the last error
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = err
	}
}

// CopyLogs copies the existing logs that the filter selects. It returns the number of
// logs. For [cluster.StreamAll], CopyLogs also copies the output of steps that failed
// before the commands started.
func (j Job) CopyLogs(ctx context.Context, f LogFilter, r LogReporter) (int, error) {
	st, err := j.Status(ctx)
	if err != nil {
		return 0, err
	}
	n := 0
	for a := range f.Started(st) {
		for _, stream := range f.Streams {
			err := j.CopyLog(ctx, a, stream, false, f, r)
			if err == nil && stream == cluster.StreamAll {
				err = j.CopyCause(ctx, a, exitOf(st, a), f, r)
			}
			if errors.Is(err, cluster.ErrNotFound) {
				continue
			}
			if err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}

// exitOf returns the exit record of an attempt, or nil if the attempt is not over.
func exitOf(st *cluster.Status, id cluster.AttemptID) *exitspec.Record {
	for _, role := range st.TaskRoles {
		for _, t := range role.Tasks {
			for _, a := range t.Attempts {
				if id == (cluster.AttemptID{Role: role.Name, Index: t.Index, JobAttempt: a.JobAttempt, Attempt: a.Attempt}) {
					return a.Exit
				}
			}
		}
	}
	return nil
}

// CopyLog copies one log of an attempt; -1 means the latest attempt.
func (j Job) CopyLog(ctx context.Context, a cluster.AttemptID, stream cluster.Stream, follow bool, f LogFilter, r LogReporter) error {
	request := j.logRequest(a, f, r)
	request.Stream, request.Follow = stream, follow
	return j.copyTo(a, r.Open(j, a, ""), func(w io.Writer) error { return j.Cluster.Logs(ctx, request, w) })
}

// CopyCause copies the output of a step that failed before the commands of an
// attempt started. If exit does not record such a failure, CopyCause copies
// nothing. It ignores a runtime log that does not exist.
func (j Job) CopyCause(ctx context.Context, a cluster.AttemptID, exit *exitspec.Record, f LogFilter, r LogReporter) error {
	step := cluster.CauseStep(exit)
	if step == "" {
		return nil
	}
	err := j.copyTo(a, r.Open(j, a, step), func(w io.Writer) error {
		return cluster.CopyCause(ctx, j.Cluster, j.logRequest(a, f, r), exit, w)
	})
	if errors.Is(err, cluster.ErrNotFound) {
		return nil
	}
	return err
}

func (j Job) logRequest(a cluster.AttemptID, f LogFilter, r LogReporter) cluster.LogRequest {
	var source message.Text // last reported source; a resumed stream reports its source again
	return cluster.LogRequest{
		Framework: j.Framework, Role: a.Role, Index: a.Index, JobAttempt: a.JobAttempt, Attempt: a.Attempt,
		TailLines: f.TailLines, Since: f.Since, Stamp: f.Stamp, Kept: f.Kept,
		Note: func(text message.Text) {
			if !text.Equal(source) {
				r.Source(j, a, text)
			}
			source = text
		},
		Gap: func(text message.Text) { r.Gap(j, a, text) },
	}
}

// copyTo copies a log and closes w.
func (j Job) copyTo(a cluster.AttemptID, w io.WriteCloser, copyLog func(io.Writer) error) error {
	if err := errors.Join(copyLog(w), w.Close()); err != nil {
		return fmt.Errorf("read the log of %s, task %s[%d]: %w", j.Address, a.Role, a.Index, err)
	}
	return nil
}
