// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
)

const (
	// sampleSize is the maximum number of tasks per job whose logs AddStages reads.
	// Reading a log takes one request.
	sampleSize = 16
	// maxStageReads is the maximum number of logs that one call reads in total for
	// all jobs.
	maxStageReads = 64
	// stageTimeout limits the total time of all reads in one call.
	stageTimeout = 10 * time.Second
	// stageLines is the number of lines that are read from the end of a log. The
	// runtime repeats the metrics, so these lines contain metrics unless a task
	// prints thousands of lines per second.
	stageLines = 1000
	stageBytes = 1 << 20
	// The minimum and maximum pause before a log is read again. The pause doubles
	// after each read that does not show a change.
	firstReadPause = 2 * time.Second
	maxReadPause   = 30 * time.Second
)

// stageRead is the stage of a task as last read from its log.
type stageRead struct {
	stage *stage.Record
	next  time.Time // time at which to read the log again; zero if the log was never read
	pause time.Duration
	// followers counts the open streams of the log. These streams update the stage.
	// stream is the timer that ends the stream opened by AddStages, or nil if
	// AddStages has not opened a stream.
	followers int
	stream    *time.Timer
}

// AddStages implements cluster.StageSource. It reads the last stage line in the logs of
// running tasks. Starting with the second call, it follows the logs with one request
// per task. Waiting callers then receive changes immediately.
func (c *Cluster) AddStages(ctx context.Context, statuses ...*cluster.Status) {
	running := make([][]*cluster.TaskAttempt, len(statuses))
	var all []*cluster.TaskAttempt
	for i, st := range statuses {
		running[i] = withoutStage(st)
		all = append(all, sampleOf(running[i])...)
	}
	c.readStages(ctx, all)
	for i, st := range statuses {
		c.addReadStages(st, running[i])
	}
}

// withoutStage returns the running tasks with an unknown stage.
func withoutStage(st *cluster.Status) []*cluster.TaskAttempt {
	var running []*cluster.TaskAttempt
	for _, role := range st.TaskRoles {
		for i := range role.Tasks {
			if a := role.Tasks[i].Latest(); a != nil && a.Pod != "" && a.Stage == nil && a.Exit == nil && a.State == string(planner.StateRunning) {
				running = append(running, a)
			}
		}
	}
	return running
}

// sampleOf returns at most sampleSize tasks.
func sampleOf(running []*cluster.TaskAttempt) []*cluster.TaskAttempt {
	sample := make([]*cluster.TaskAttempt, min(len(running), sampleSize))
	for i := range sample {
		sample[i] = running[i*len(running)/len(sample)]
	}
	return sample
}

// readStages reads or follows the logs whose next read is due. It starts with
// unread logs, so that repeated calls eventually read all logs.
func (c *Cluster) readStages(ctx context.Context, all []*cluster.TaskAttempt) {
	ctx, cancel := context.WithTimeout(ctx, stageTimeout)
	defer cancel()
	due := slices.DeleteFunc(all, func(a *cluster.TaskAttempt) bool { return !c.useStage(a) })
	slices.SortStableFunc(due, func(a, b *cluster.TaskAttempt) int { return c.stageReadOf(a).next.Compare(c.stageReadOf(b).next) })
	for _, a := range due[:min(len(due), maxStageReads)] {
		if ctx.Err() != nil {
			return
		}
		if !c.stageReadOf(a).next.IsZero() && c.followStage(ctx, a) {
			continue
		}
		c.readStage(ctx, a)
	}
}

// useStage keeps the stream of a task open, and reports whether the next read of
// the task's log is due.
func (c *Cluster) useStage(a *cluster.TaskAttempt) (due bool) {
	read := c.stageReadOf(a)
	if read.stream != nil {
		read.stream.Reset(maxIdleStream)
	}
	if read.followers > 0 && !read.next.IsZero() {
		return false
	}
	return !c.options.Now().Before(read.next)
}

// addReadStages adds the known stages of the tasks in the sample and of the
// tasks whose logs are followed.
func (c *Cluster) addReadStages(st *cluster.Status, running []*cluster.TaskAttempt) {
	sample, known := sampleOf(running), 0
	for _, a := range running {
		read := c.stageReadOf(a)
		if read.followers == 0 && !slices.Contains(sample, a) {
			continue
		}
		a.Stage = read.stage
		if read.followers > 0 || !read.next.IsZero() {
			known++
		}
	}
	if known < len(running) {
		st.Sample = &cluster.Sample{Sampled: known, Running: len(running)}
	}
}

func stageKey(a *cluster.TaskAttempt) string { return stageKeyOf(a.Pod, a.JobAttempt, a.Attempt) }

func stageKeyOf(pod string, jobAttempt, attempt int) string {
	return fmt.Sprintf("%s/%d/%d", pod, jobAttempt, attempt)
}

// stageReadOf returns the result of the last read for a task, or the zero value.
func (c *Cluster) stageReadOf(a *cluster.TaskAttempt) stageRead {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stageReads[stageKey(a)]
}

func (c *Cluster) updateStage(key string, change func(*stageRead)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	read := c.stageReads[key]
	change(&read)
	c.stageReads[key] = read
}

func (c *Cluster) readStage(ctx context.Context, a *cluster.TaskAttempt) {
	text, _ := c.logEnd(ctx, a.Pod) // without the log, the stage is unknown
	c.updateStage(stageKey(a), func(r *stageRead) {
		log := newStageLog(r.stage)
		log.read(text)
		changed := r.next.IsZero() || !log.last.Same(r.stage)
		r.stage = log.stage()
		r.pauseAfter(c.options.Now(), changed)
	})
}

// pauseAfter sets the time of the next read. It doubles the pause up to
// maxReadPause, or resets the pause after a change. changed reports whether the
// last read showed a change.
func (r *stageRead) pauseAfter(now time.Time, changed bool) {
	r.pause = min(2*r.pause, maxReadPause)
	if changed {
		r.pause = firstReadPause
	}
	r.next = now.Add(r.pause)
}

// logEnd returns the last lines of a Pod's log.
func (c *Cluster) logEnd(ctx context.Context, pod string) ([]byte, error) {
	client, err := c.connect()
	if err != nil {
		return nil, err
	}
	q := url.Values{"container": {appContainer}, "tailLines": {strconv.Itoa(stageLines)}}
	body, err := client.Stream(ctx, c.logRequest(pod, q))
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(io.LimitReader(body, stageBytes))
}

// logRequest returns the request for the log of a Pod. The cluster must already be
// connected.
func (c *Cluster) logRequest(pod string, q url.Values) api.Request {
	return api.Request{Method: http.MethodGet, Path: api.Pods.Path(c.namespace, pod) + "/log", Query: q, Accept: "*/*", What: "read the log of Pod " + pod}
}
