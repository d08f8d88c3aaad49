// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// conclude writes the outcome of a run before its job is deleted. A full disk
// does not block the deletion, but the outcome remains unknown.
func (o *Operation) conclude(ctx context.Context, c cluster.Cluster, workspace string, live *planner.LiveJob) error {
	store, ok := c.(cluster.RunStore)
	if !ok || live.Run == 0 {
		return nil
	}
	r, err := findRun(ctx, store, workspace, live.Framework, live.Run)
	if r == nil || err != nil {
		return err
	}
	before := r.Outcome
	st, err := c.Status(ctx, live.Framework)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		r.Outcome = &history.Outcome{State: planner.StateUnknown, Deleted: true, Seen: o.now()}
	default:
		o.describe(ctx, c, r, st)
		r.Outcome.Deleted = !st.State.Finished()
	}
	if before != nil && before.State.Finished() && !r.Outcome.State.Finished() {
		r.Outcome = before // the engine no longer has the outcome
	}
	err = store.SaveRun(ctx, r)
	if errors.Is(err, cluster.ErrNoRoom) {
		return nil
	}
	return errors.Join(err, o.publish(r))
}

// handOver writes the outcome of an adopted run to the history of the former
// workspace. After an error, such as a missing permission, the outcome remains
// unknown.
func (o *Operation) handOver(ctx context.Context, c cluster.Cluster, store cluster.RunStore, live *planner.LiveJob) {
	if live.Workspace == "" || live.Workspace == o.options.Workspace.Name || live.Run == 0 {
		return
	}
	r, err := findRun(ctx, store, live.Workspace, live.Framework, live.Run)
	if r == nil || err != nil || r.UID != live.UID || r.Finished() {
		return
	}
	st, err := c.Status(ctx, live.Framework)
	if err != nil {
		return
	}
	o.describe(ctx, c, r, st)
	r.Outcome.Adopted = !st.State.Finished()
	_ = store.SaveRun(ctx, r)
}

// findRun returns the record of a run, or nil if the record does not exist or is
// damaged.
func findRun(ctx context.Context, store cluster.RunStore, workspace, framework string, number int) (*history.Run, error) {
	kept, err := store.RunSizes(ctx, workspace)
	if err != nil {
		return nil, err
	}
	for _, k := range kept {
		if k.Framework == framework && k.Number == number {
			r, err := store.Run(ctx, workspace, k.Key)
			if errors.Is(err, cluster.ErrNotFound) || errors.As(err, new(*history.FormatError)) {
				return nil, nil // a missing or damaged record does not prevent the deletion of the job
			}
			return r, err
		}
	}
	return nil, nil
}

// describe adds data from a status to a run, including the metrics of running tasks. If
// the engine deletes finished jobs, describe also adds the logs. It does not wait long
// for nodes that do not respond.
func (o *Operation) describe(ctx context.Context, c cluster.Cluster, r *history.Run, st *cluster.Status) {
	if f, ok := c.(cluster.Forgetful); ok && f.ForgetsJobs() {
		limited, done := o.patience.limit(ctx)
		r.Logs = excerpts(limited, c, st)
		done()
	}
	limited, done := o.patience.limit(ctx)
	cluster.AddStages(limited, c, st) // call after reading the logs, which may contain older metrics
	done()
	applyStatus(r, st, o)
	addDigests(ctx, c, r)
}

// addDigests adds the image digests that tasks used. If reading the digests
// fails, they remain unknown.
func addDigests(ctx context.Context, c cluster.Cluster, r *history.Run) {
	source, ok := c.(cluster.ImageSource)
	if !ok || !slices.ContainsFunc(r.Images, func(i history.Image) bool { return i.Digest == "" }) {
		return
	}
	digests, err := source.ImageDigests(ctx, r.Framework)
	if err != nil {
		return
	}
	for i := range r.Images {
		r.Images[i].Digest = cmp.Or(r.Images[i].Digest, digests[r.Images[i].TaskRole])
	}
}

func applyStatus(r *history.Run, st *cluster.Status, o *Operation) {
	r.Outcome = &history.Outcome{
		State: st.State, Seen: o.now(), Launched: st.Launched, Completed: st.Completed, Attempts: st.Attempt + 1, Retries: st.Retries,
		ExitCode: st.ExitCode, UserCode: st.UserCode, Phrase: st.Phrase, Reason: o.relative(st.Reason),
	}
	if len(st.TaskRoles) == 0 {
		return
	}
	use := cluster.JobUse(st)
	r.Metrics, r.CPUSeconds, r.PeakMemoryBytes = use.Metrics, use.CPUSeconds, use.PeakMemoryBytes
	addFetched(r, st)
	r.Tasks = nil
	for _, role := range st.TaskRoles {
		for _, t := range role.Tasks {
			r.Tasks = append(r.Tasks, history.Task{Role: role.Name, Index: t.Index, Attempts: attempts(t, o)})
		}
	}
}

func addFetched(r *history.Run, st *cluster.Status) {
	for _, role := range st.TaskRoles {
		for i := range role.Tasks {
			if a := role.Tasks[i].Latest(); a != nil && a.Exit != nil {
				r.AddFetched(a.Exit.Fetched)
			}
		}
	}
}

func attempts(t cluster.Task, o *Operation) []history.Attempt {
	all := make([]history.Attempt, 0, len(t.Attempts))
	for _, a := range t.Attempts {
		kept := history.Attempt{JobAttempt: a.JobAttempt, Attempt: a.Attempt, State: a.State, Started: a.Started, Finished: a.Finished}
		if a.Exit == nil && a.Stage != nil {
			kept.Metrics = a.Stage.Metrics
		}
		if a.Exit != nil {
			exit := *a.Exit
			exit.LastLines, exit.Fetched = nil, nil
			exit.Reason, exit.Advice = o.relative(exit.Reason), o.relative(exit.Advice)
			kept.Exit = &exit
		}
		all = append(all, kept)
	}
	return all
}

// Limits for the logs in a record.
const (
	maxExcerpts   = 32 << 10 // total of all tasks
	excerptLines  = 200      // per task
	maxTaskLogs   = 16
	minTaskLength = maxExcerpts / maxTaskLogs
)

// excerpts returns the last log lines of the first tasks in a job. The lines
// are from the latest attempt of each task. It skips unreadable logs.
func excerpts(ctx context.Context, c cluster.Cluster, st *cluster.Status) []history.Log {
	var all []history.Log
	remaining, tasks := maxExcerpts, 0
	for _, role := range st.TaskRoles {
		for _, t := range role.Tasks {
			if len(t.Attempts) == 0 || tasks == maxTaskLogs || remaining <= 0 {
				continue
			}
			limit := max(minTaskLength, remaining/max(1, len(role.Tasks)))
			logs := taskExcerpts(ctx, c, st.Framework, role.Name, &t)
			for i := range logs {
				tail := lastBytes([]byte(logs[i].Tail), min(limit/len(logs), remaining))
				logs[i].Tail = string(tail)
				remaining -= len(tail)
			}
			if len(logs) > 0 {
				tasks++
			}
			all = append(all, logs...)
		}
	}
	return all
}

// taskExcerpts returns the last log lines of the latest attempt. If a step failed
// before the commands, the result also contains the last lines of that step.
func taskExcerpts(ctx context.Context, c cluster.Cluster, framework, role string, t *cluster.Task) []history.Log {
	a := t.Latest()
	request := cluster.LogRequest{
		Framework: framework, Role: role, Index: t.Index, JobAttempt: a.JobAttempt, Attempt: a.Attempt,
		Stream: cluster.StreamAll, TailLines: excerptLines,
	}
	var all []history.Log
	keep := func(step string, text *bytes.Buffer, err error) {
		if err == nil && text.Len() > 0 {
			all = append(all, history.Log{Role: role, Index: t.Index, JobAttempt: a.JobAttempt, Attempt: a.Attempt, Step: step, Tail: text.String()})
		}
	}
	var text bytes.Buffer
	keep("", &text, c.Logs(ctx, request, &text))
	if step := cluster.CauseStep(a.Exit); step != "" {
		var cause bytes.Buffer
		keep(step, &cause, cluster.CopyCause(ctx, c, request, a.Exit, &cause))
	}
	return all
}

// lastBytes returns the last lines that fit into limit bytes, or the end of a
// longer last line.
func lastBytes(text []byte, limit int) []byte {
	if len(text) <= limit {
		return text
	}
	text = text[len(text)-limit:]
	if n := bytes.IndexByte(text, '\n'); n >= 0 && n+1 < len(text) {
		text = text[n+1:]
	}
	return text
}

// settle writes the outcome of a run if the job has finished. It writes only if
// records are published or the engine deletes finished jobs. It ignores errors,
// because the next read of the job tries again.
func (j Job) settle(ctx context.Context, st *cluster.Status) {
	store, ok := j.Cluster.(cluster.RunStore)
	if !ok || j.operation == nil || st == nil || !st.State.Finished() || st.UID == "" {
		return
	}
	f, forgets := j.Cluster.(cluster.Forgetful)
	if forgets = forgets && f.ForgetsJobs(); !forgets && j.operation.records().name == "" {
		return
	}
	workspace := j.operation.options.Workspace.Name
	kept, err := store.RunSizes(ctx, workspace)
	if err != nil {
		return
	}
	for _, k := range kept {
		if k.Framework != j.Framework || k.Short != history.ShortUID(st.UID) {
			continue
		}
		r, err := store.Run(ctx, workspace, k.Key)
		if err != nil || r.UID != st.UID || r.Finished() {
			return
		}
		j.operation.describe(ctx, j.Cluster, r, st)
		if forgets {
			_ = store.SaveRun(ctx, r)
		}
		_ = j.operation.publish(r)
		return
	}
}

// firstLogTime is the timeout for the first read of a job's logs. Log streams
// have no timeout, and deletions wait for the end of the streams.
const firstLogTime = 10 * time.Second

// logPatience limits the time to read logs for run records. Each timeout halves the
// time for the next read. If the cluster does not respond, consecutive reads for
// any number of jobs therefore take at most twice firstLogTime in total.
type logPatience struct {
	mu       sync.Mutex
	timeouts int
}

// limit returns a context with the time limit for one read of job logs. The
// caller must call done after the read.
func (p *logPatience) limit(ctx context.Context) (limited context.Context, done func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, firstLogTime>>p.timeouts)
	return limited, func() {
		defer cancel()
		if ctx.Err() == nil && errors.Is(limited.Err(), context.DeadlineExceeded) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.timeouts++
		}
	}
}
