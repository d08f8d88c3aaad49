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

// hold watches an end callback. When the callback has run for intervals.hold,
// hold marks the task as held. The result of the task is known by then. One
// hold covers all attempts of the callback and the pauses between them.
type hold struct {
	task     *task
	limit    time.Duration // time limit of one attempt; 0 for no limit
	released chan struct{} // closed after a request to release the task
	over     chan struct{}
	watching sync.WaitGroup

	mu      sync.Mutex
	record  stage.Record
	entered bool
}

// startHold watches a callback that is about to run. It returns nil if the task is
// being stopped. It also returns nil for a taskSucceeds callback, because the
// task's result is not known yet.
func (t *task) startHold(e endCallback) *hold {
	if e.callback.Event == contract.EventTaskSucceeds || t.record.Stopped {
		return nil
	}
	code := t.record.UserCode
	h := &hold{
		task: t, limit: seconds(e.callback.TimeoutSeconds), released: make(chan struct{}), over: make(chan struct{}),
		record: stage.Record{Stage: stage.Held, Step: title(e.step), Event: e.callback.Event, ExitCode: &code},
	}
	h.watching.Go(h.watch)
	return h
}

// attempt sets the time limit for the next attempt of the callback. It
// returns false if the task has already been released.
func (h *hold) attempt() bool {
	if h == nil {
		return true
	}
	if h.isReleased() {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.limit > 0 {
		h.record.Until = h.task.Now().Add(h.limit).UTC()
		if h.entered {
			h.task.stages.limit(h.record.Until)
		}
	}
	return true
}

// watch marks the task as held, and waits for a request to release it.
func (h *hold) watch() {
	if !h.wait(h.task.intervals.hold) {
		return
	}
	if _, stopped := h.task.stop.stopped(); stopped {
		return
	}
	since := h.enter()
	for !stage.Released(h.task.Root, since) {
		if !h.wait(h.task.intervals.release) {
			return
		}
	}
	close(h.released)
	h.task.stop.signalCurrent(syscall.SIGTERM)
	if h.wait(releaseKill) {
		h.task.stop.signalCurrent(syscall.SIGKILL)
	}
}

func (h *hold) enter() (since time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.entered = true
	return h.task.stages.enter(h.record)
}

// interrupt returns the channel that ends a pause between attempts. It returns
// nil if the callback never holds the task.
func (h *hold) interrupt() <-chan struct{} {
	if h == nil {
		return nil
	}
	return h.released
}

func (h *hold) isReleased() bool {
	if h == nil {
		return false
	}
	select {
	case <-h.released:
		return true
	default:
		return false
	}
}

// holds reports whether the callback has started to hold the task.
func (h *hold) holds() bool {
	if h == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.entered
}

// wait waits for d, or until the callback ends. It returns false if the
// callback ended first.
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

// end stops watching the callback. Call it after the last attempt.
func (h *hold) end() {
	if h != nil {
		close(h.over)
		h.watching.Wait()
	}
}
