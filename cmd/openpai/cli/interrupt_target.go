// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
)

// interruptTarget directs an interrupt to a part of the program, such as an open log,
// or to the whole program if no part is set. It replaces the default action of every
// interrupt, because the default action would kill the program and leave the terminal
// in raw mode.
type interruptTarget struct {
	signals chan os.Signal
	quit    context.CancelFunc

	mu   sync.Mutex
	part context.CancelFunc // ends the part; nil if there is no part
}

// newInterruptTarget replaces all other handlers of interrupts until stop is called. An
// interrupt cancels the current part, or the returned context if no part is set.
func newInterruptTarget(ctx context.Context) (context.Context, *interruptTarget) {
	ctx, quit := context.WithCancel(ctx)
	t := &interruptTarget{signals: make(chan os.Signal, 1), quit: quit}
	signal.Reset(os.Interrupt)
	signal.Notify(t.signals, os.Interrupt)
	go func() {
		for range t.signals {
			t.interrupt()
		}
	}()
	return ctx, t
}

// interrupt ends the current part, or the whole program if no part is set.
func (t *interruptTarget) interrupt() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.part != nil {
		t.part()
		return
	}
	t.quit()
}

// only starts a part of the command with a separate context. Until the caller
// calls done, an interrupt cancels only this context.
func (t *interruptTarget) only(ctx context.Context) (part context.Context, done context.CancelFunc) {
	part, cancel := context.WithCancel(ctx)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.part = cancel
	return part, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.part = nil
		cancel()
	}
}

// stop restores the default action.
func (t *interruptTarget) stop() {
	signal.Stop(t.signals)
	close(t.signals)
	t.quit()
}
