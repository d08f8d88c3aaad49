// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"sync"
	"syscall"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// releaseKill is the time between SIGTERM and SIGKILL for a released callback.
const releaseKill = 5 * time.Second

// hold is an end callback that may hold the task. It holds the task once it has
// run for some time after the result is known.
type hold struct {
	task   *task
	record stage.Record

	over     chan struct{}
	watching sync.WaitGroup
	released bool // read after end
}

// startHold starts watching a callback that is about to run. It returns nil for
// a callback that never holds the task: a stopping task is not held, and
// taskSucceeds may still change the result.
func (t *task) startHold(e endCallback) *hold {
	if e.callback.Event == contract.EventTaskSucceeds || t.record.Stopped {
		return nil
	}
	code := t.record.UserCode
	h := &hold{
		task: t, over: make(chan struct{}),
		record: stage.Record{Stage: stage.Held, Step: title(e.step), Event: e.callback.Event, ExitCode: &code},
	}
	if limit := seconds(e.callback.TimeoutSeconds); limit > 0 {
		h.record.Until = t.Now().Add(limit).UTC()
	}
	h.watching.Go(h.watch)
	return h
}

// watch marks the task as held and waits for a request to release it.
func (h *hold) watch() {
	if !h.wait(h.task.intervals.hold) {
		return
	}
	if _, stopped := h.task.stop.stopped(); stopped {
		return
	}
	since := h.task.stages.enter(h.record)
	for !stage.Released(h.task.Root, since) {
		if !h.wait(h.task.intervals.release) {
			return
		}
	}
	h.released = true
	h.task.stop.signalCurrent(syscall.SIGTERM)
	if h.wait(releaseKill) {
		h.task.stop.signalCurrent(syscall.SIGKILL)
	}
}

// wait waits for d. It returns false if the callback ended first.
func (h *hold) wait(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-h.over:
		return false
	}
}

// end is called when the callback has ended. It reports whether a request to
// release the task ended it.
func (h *hold) end() (released bool) {
	if h == nil {
		return false
	}
	close(h.over)
	h.watching.Wait()
	return h.released
}
