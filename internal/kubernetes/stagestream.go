// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"bufio"
	"context"
	"errors"
	"net/url"
	"strconv"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

const (
	// maxStageStreams is the maximum number of logs that AddStages follows at the same
	// time.
	maxStageStreams = 64
	// maxIdleStream is the time for which a stream remains open after the
	// last call to AddStages that uses it.
	maxIdleStream = 30 * time.Second
	// outputPause is the pause after a stream that reached the stageBytes
	// limit.
	outputPause = 3 * time.Second
)

// followStage follows the log of a task to find the stage. It returns false if too
// many streams are open. A stream ends after stageBytes bytes, which limits the
// traffic for tasks that print many lines.
func (c *Cluster) followStage(ctx context.Context, a *cluster.TaskAttempt) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stageStreams >= maxStageStreams {
		return false
	}
	c.stageStreams++
	following, end := context.WithCancel(context.WithoutCancel(ctx))
	key, read := stageKey(a), c.stageReads[stageKey(a)]
	read.stream = time.AfterFunc(maxIdleStream, end)
	read.followers++
	c.stageReads[key] = read
	go func() {
		defer end()
		began := c.options.Now()
		size := c.copyStages(following, key, a.Pod)
		now := c.options.Now()
		c.updateStage(key, func(r *stageRead) {
			c.stageStreams--
			r.followers--
			r.stream.Stop()
			r.stream = nil
			r.pauseAfter(now, now.Sub(began) >= maxReadPause)
			if size >= stageBytes {
				r.next = now.Add(outputPause)
			}
		})
	}()
	return true
}

// copyStages reads until the stream ends, and returns the number of bytes.
func (c *Cluster) copyStages(ctx context.Context, key, pod string) (size int) {
	client, err := c.connect()
	if err != nil {
		return 0
	}
	body, err := client.Stream(ctx, c.logRequest(pod, url.Values{
		"container": {appContainer}, "follow": {"true"}, "tailLines": {strconv.Itoa(stageLines)}, "limitBytes": {strconv.Itoa(stageBytes)},
	}))
	if err != nil {
		return 0
	}
	defer body.Close()
	lines := bufio.NewReaderSize(body, maxLogLine)
	each := c.stageReader(key)
	for size < stageBytes {
		line, err := lines.ReadSlice('\n')
		size += len(line)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return size
		}
		each(line)
	}
	return size
}

// stageReader returns a function that reads the lines of a task's log and updates the
// stage of the task.
func (c *Cluster) stageReader(key string) func(line []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	log := newStageLog(c.stageReads[key].stage)
	return func(line []byte) {
		if log.line(line) {
			c.updateStage(key, func(r *stageRead) { r.stage = log.stage() })
		}
	}
}

// withStages updates the stage from the lines of a followed log. The caller must
// call end when the caller stops following the log.
func (c *Cluster) withStages(key string, log *podLog) (end func()) {
	log.each = c.stageReader(key)
	c.updateStage(key, func(r *stageRead) { r.followers++ })
	return func() { c.updateStage(key, func(r *stageRead) { r.followers-- }) }
}

// readingStage finds the stage and the metrics while log copies the whole log. The
// function keep stores the stage and the metrics. The caller must not call keep
// after an incomplete copy, because the metrics that are already stored are then
// newer.
func (c *Cluster) readingStage(key string, log *podLog) (keep func()) {
	c.mu.Lock()
	read := newStageLog(c.stageReads[key].stage)
	c.mu.Unlock()
	log.each = func(line []byte) { read.line(line) }
	return func() {
		c.updateStage(key, func(r *stageRead) {
			if r.followers == 0 {
				r.stage = read.stage()
			}
		})
	}
}
