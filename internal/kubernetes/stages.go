// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
	"github.com/openpai/terraform-provider-openpai/internal/metrics"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
)

const (
	// sampleSize is the maximum number of tasks of a job whose log is read. Reading
	// a log takes one request.
	sampleSize = 16
	// maxStageReads is the maximum number of logs read per call, for all jobs.
	maxStageReads = 64
	// stageTimeout limits the total time of these reads.
	stageTimeout = 10 * time.Second
	// stageLines is the number of lines read from the end of a log.
	stageLines = 200
	stageBytes = 256 << 10
	// Pauses before reading a stage again: the pause starts with the first value and
	// doubles while the stage does not change.
	firstReadPause = 5 * time.Second
	maxReadPause   = 30 * time.Second
)

// stageRead is the stage of a task as last read from its log.
type stageRead struct {
	stage *stage.Record
	next  time.Time // when to read it again
	pause time.Duration
}

// AddStages implements cluster.StageSource: it reads the last stage line in the
// logs of running tasks.
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

// withoutStage returns the running tasks whose stage is unknown.
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

// sampleOf returns at most sampleSize of the tasks of a job.
func sampleOf(running []*cluster.TaskAttempt) []*cluster.TaskAttempt {
	sample := make([]*cluster.TaskAttempt, min(len(running), sampleSize))
	for i := range sample {
		sample[i] = running[i*len(running)/len(sample)]
	}
	return sample
}

// readStages reads the logs that are due. It starts with logs that were never read,
// so that repeated calls with many tasks read all logs.
func (c *Cluster) readStages(ctx context.Context, all []*cluster.TaskAttempt) {
	ctx, cancel := context.WithTimeout(ctx, stageTimeout)
	defer cancel()
	slices.SortStableFunc(all, func(a, b *cluster.TaskAttempt) int { return c.stageReadOf(a).next.Compare(c.stageReadOf(b).next) })
	for _, a := range all[:min(len(all), maxStageReads)] {
		if ctx.Err() != nil || c.options.Now().Before(c.stageReadOf(a).next) {
			return
		}
		c.readStage(ctx, a)
	}
}

// addReadStages adds the stages read so far to a status.
func (c *Cluster) addReadStages(st *cluster.Status, running []*cluster.TaskAttempt) {
	known := 0
	for _, a := range sampleOf(running) {
		read := c.stageReadOf(a)
		a.Stage = read.stage
		if !read.next.IsZero() {
			known++
		}
	}
	if known < len(running) {
		st.Sample = &cluster.Sample{Sampled: known, Running: len(running)}
	}
}

func stageKey(a *cluster.TaskAttempt) string {
	return fmt.Sprintf("%s/%d/%d", a.Pod, a.JobAttempt, a.Attempt)
}

// stageReadOf returns the last read of a task, or the zero value.
func (c *Cluster) stageReadOf(a *cluster.TaskAttempt) stageRead {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stageReads[stageKey(a)]
}

// readStage reads the stage in the log of a task.
func (c *Cluster) readStage(ctx context.Context, a *cluster.TaskAttempt) {
	seen, now := c.stageReadOf(a), c.options.Now()
	next := stageRead{pause: firstReadPause}
	if text, err := c.logEnd(ctx, a.Pod); err == nil {
		next.stage = lastStage(text)
	}
	switch {
	case next.stage == nil:
		next.stage = seen.stage
	case seen.stage != nil && next.stage.Metrics == nil:
		next.stage.Metrics = seen.stage.Metrics // the line with the metrics is before these lines
	}
	if !seen.next.IsZero() && next.stage.Same(seen.stage) {
		next.pause = min(2*seen.pause, maxReadPause)
	}
	next.next = now.Add(next.pause)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stageReads[stageKey(a)] = next
}

// logEnd returns the last lines of a Pod's log.
func (c *Cluster) logEnd(ctx context.Context, pod string) ([]byte, error) {
	client, err := c.connect()
	if err != nil {
		return nil, err
	}
	q := url.Values{"container": {appContainer}, "tailLines": {strconv.Itoa(stageLines)}}
	body, err := client.Stream(ctx, api.Request{Method: http.MethodGet, Path: api.Pods.Path(c.namespace, pod) + "/log", Query: q, Accept: "*/*", What: "read the log of Pod " + pod})
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(io.LimitReader(body, stageBytes))
}

// lastStage returns the stage at the end of a log, or nil. A line without the prefix
// of the runtime or of a callback means that the user's commands are running.
func lastStage(log []byte) *stage.Record {
	var last *stage.Record
	var values metrics.Values
	begin := func(n stage.Name) { last = &stage.Record{Version: stage.Version, Stage: n} }
	for line := range bytes.Lines(log) {
		if r, ok := stage.ParseLine(line); ok {
			last = &r
			continue
		}
		if v, ok := metrics.ParseLine(line); ok {
			values = v
			continue
		}
		switch text := string(bytes.TrimSpace(line)); {
		case text == "":
		case !bytes.Contains(line, []byte("] [openpai-runtime] ")), hasText(line, contract.LogUserCommandStart):
			if last == nil || beforeCommands(last.Stage) {
				begin(stage.Commands)
			}
		case hasText(line, contract.LogUserCommandEnd):
			begin(stage.Ending)
		}
	}
	if last == nil && values != nil { // the line with the stage is before these lines
		begin(stage.Commands)
	}
	if last != nil {
		last.Metrics = values
	}
	return last
}

func hasText(line []byte, text string) bool {
	return bytes.HasSuffix(bytes.TrimSpace(line), []byte("["+contract.LevelInfo+"] "+text))
}

func beforeCommands(n stage.Name) bool {
	return n != stage.Commands && n != stage.Ending && n != stage.Held
}
