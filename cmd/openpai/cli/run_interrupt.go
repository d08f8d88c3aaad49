// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

// stopMargin is the time for a job to end after the grace periods of its tasks.
const stopMargin = time.Minute

// stopRequestTime limits the time to record a stop request after the second
// interrupt.
const stopRequestTime = 5 * time.Second

// stopOnInterrupt stops the jobs at the first interrupt. The caller follows the jobs
// with the returned context. The context ends at the second interrupt. It also ends
// if the jobs do not end within stopPatience; the cause then lists these jobs with
// the reasons.
//
// release waits until a stop request in progress is recorded, even after a
// second interrupt. It returns an error if a stop request failed.
func (o *runOptions) stopOnInterrupt(i *interrupts, jobs []operation.Job) (following context.Context, release func() error) {
	following, giveUp := context.WithCancelCause(i.second)
	requested := make(chan struct{})
	var refused error
	unwatch := context.AfterFunc(i.first, func() {
		if len(jobs) == 0 {
			close(requested)
			return
		}
		fmt.Fprintln(o.streams.err, "Interrupted: stopping jobs and running end callbacks. Press Ctrl-C again to exit immediately.")
		asked, err := requestStops(i.second, jobs)
		refused = err
		close(requested)
		select {
		case <-following.Done():
		case <-time.After(stopPatience(asked)):
			giveUp(errors.Join(err, notEnded(i.second, asked)))
		}
	})
	return following, func() error {
		defer giveUp(nil)
		if unwatch() {
			return nil
		}
		<-requested
		return refused
	}
}

// requestStops is like stopAll, but continues for at most stopRequestTime
// after ctx ends.
func requestStops(ctx context.Context, jobs []operation.Job) (asked []operation.Job, err error) {
	lasting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	unwatch := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(stopRequestTime):
			cancel()
		case <-lasting.Done():
		}
	})
	defer unwatch()
	return stopAll(lasting, jobs)
}

// stopAll requests that the jobs stop. It returns the jobs that accepted the
// request, and the errors for the other jobs.
func stopAll(ctx context.Context, jobs []operation.Job) (asked []operation.Job, err error) {
	for _, j := range jobs {
		if stopErr := j.RequestStop(ctx); stopErr != nil {
			err = errors.Join(err, stopErr)
			continue
		}
		asked = append(asked, j)
	}
	return asked, err
}

// stopPatience returns the maximum time to wait until jobs end after a
// request to stop.
func stopPatience(asked []operation.Job) time.Duration {
	patience := time.Duration(0)
	for _, j := range asked {
		patience = max(patience, j.Grace+stopMargin)
	}
	return patience
}

// notEnded returns an error that lists the jobs that have not ended, with the
// reasons if known. It returns nil if all jobs have ended.
func notEnded(ctx context.Context, jobs []operation.Job) error {
	var all []error
	for _, j := range jobs {
		st, err := j.Cluster.Status(ctx, j.Framework)
		switch {
		case err != nil:
			all = append(all, fmt.Errorf("%s: %w", j.Address, err))
		case st.State.Finished():
		case !st.Problem.Empty():
			all = append(all, fmt.Errorf("%s has not ended: %s", j.Address, st.Problem.Phrase(phrase.Of)))
		default:
			all = append(all, fmt.Errorf("%s has not ended; see \"openpai status\"", j.Address))
		}
	}
	return errors.Join(all...)
}

// interrupts tracks the interrupts that Ctrl-C and SIGTERM cause. The first
// interrupt requests an orderly end, and the second requests an immediate end.
type interrupts struct {
	// The first interrupt cancels first, and the second interrupt cancels
	// second.
	first, second context.Context
}

// sameInterrupt is the time during which further signals belong to the same interrupt.
// For example, the program timeout sends the signal to a process and then to the
// process group.
const sameInterrupt = 250 * time.Millisecond

// watchInterrupts handles the signals until stop is called.
func watchInterrupts(parent context.Context) (i *interrupts, stop func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	i, end := countInterrupts(parent, signals, time.Now)
	return i, func() {
		signal.Stop(signals)
		end()
	}
}

// countInterrupts counts the interrupts until stop is called.
func countInterrupts(parent context.Context, signals <-chan os.Signal, now func() time.Time) (i *interrupts, stop func()) {
	first, endFirst := context.WithCancel(parent)
	second, endSecond := context.WithCancel(parent)
	go func() {
		var since time.Time // of the first signal
		for {
			select {
			case <-signals:
			case <-second.Done():
				return
			}
			switch at := now(); {
			case since.IsZero():
				since = at
				endFirst()
			case at.Sub(since) >= sameInterrupt:
				endSecond()
			}
		}
	}()
	return &interrupts{first: first, second: second}, func() {
		endFirst()
		endSecond()
	}
}
