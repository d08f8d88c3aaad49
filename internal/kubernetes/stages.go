// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
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
	// sampleSize is the maximum number of tasks whose log is read per call: each
	// takes a request.
	sampleSize = 16
	// stageTimeout limits the time for all of them.
	stageTimeout = 10 * time.Second
	// stageLines is the number of lines read from the end of a log.
	stageLines = 200
	stageBytes = 256 << 10
	// A stage is read again after the first pause; the pause doubles while the
	// stage stays the same.
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
func (c *Cluster) AddStages(ctx context.Context, st *cluster.Status) {
	var running []*cluster.TaskAttempt
	for _, role := range st.TaskRoles {
		for i := range role.Tasks {
			if a := role.Tasks[i].Latest(); a != nil && a.Pod != "" && a.Stage == nil && a.Exit == nil && a.State == string(planner.StateRunning) {
				running = append(running, a)
			}
		}
	}
	sampled := min(len(running), sampleSize)
	if sampled < len(running) {
		st.Sample = &cluster.Sample{Sampled: sampled, Running: len(running)}
	}
	ctx, cancel := context.WithTimeout(ctx, stageTimeout)
	defer cancel()
	for i := range sampled {
		a := running[i*len(running)/sampled]
		a.Stage = c.stageOf(ctx, a)
	}
}

// stageOf returns the stage in the log of a task, or the cached stage of a recent
// read.
func (c *Cluster) stageOf(ctx context.Context, a *cluster.TaskAttempt) *stage.Record {
	key := fmt.Sprintf("%s/%d/%d", a.Pod, a.JobAttempt, a.Attempt)
	now := c.options.Now()
	c.mu.Lock()
	seen := c.stageReads[key]
	c.mu.Unlock()
	if seen != nil && now.Before(seen.next) {
		return seen.stage
	}
	next := &stageRead{pause: firstReadPause}
	if text, err := c.logEnd(ctx, a.Pod); err == nil {
		next.stage = lastStage(text)
	}
	if seen != nil {
		if next.stage == nil {
			next.stage = seen.stage
		}
		if next.stage != nil && seen.stage != nil && next.stage.Metrics == nil {
			next.stage.Metrics = seen.stage.Metrics // the line with the metrics is further back
		}
		if next.stage.Same(seen.stage) {
			next.pause = min(2*seen.pause, maxReadPause)
		}
	}
	next.next = now.Add(next.pause)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stageReads[key] = next
	return next.stage
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

// lastStage returns the stage at the end of a log, or nil. A line of the user
// means that the commands run: lines of the runtime and the callbacks have a
// prefix.
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
	if last == nil && values != nil { // the line with the stage is further back
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
