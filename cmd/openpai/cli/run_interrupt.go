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

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// stopMargin is the time that a stopped job may take after the grace periods of its
// tasks.
const stopMargin = time.Minute

// stopOnInterrupt stops the jobs at the first interrupt. The returned context is for
// following them. It ends with the second interrupt, or when stopped jobs do not end in
// time; its cause then reports these jobs and the reasons.
func (o *runOptions) stopOnInterrupt(i *interrupts, jobs []operation.Job) (following context.Context, release func()) {
	following, giveUp := context.WithCancelCause(i.second)
	unwatch := context.AfterFunc(i.first, func() {
		if i.second.Err() != nil || len(jobs) == 0 {
			return
		}
		fmt.Fprintln(o.streams.err, "Interrupted: stopping jobs and running end callbacks. Press Ctrl-C again to exit immediately.")
		asked, err := stopAll(following, jobs)
		select {
		case <-following.Done():
		case <-time.After(stopPatience(asked)):
			giveUp(errors.Join(err, notEnded(i.second, asked)))
		}
	})
	return following, func() { unwatch(); giveUp(nil) }
}

// stopAll asks every job to stop and returns those that accepted the request.
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

// stopPatience returns the maximum time to wait for stopped jobs.
func stopPatience(asked []operation.Job) time.Duration {
	patience := time.Duration(0)
	for _, j := range asked {
		patience = max(patience, j.Grace+stopMargin)
	}
	return patience
}

// notEnded returns an error with the jobs that still run and the known reasons, or nil.
func notEnded(ctx context.Context, jobs []operation.Job) error {
	var all []error
	for _, j := range jobs {
		st, err := j.Cluster.Status(ctx, j.Framework)
		switch {
		case err != nil:
			all = append(all, fmt.Errorf("%s: %w", j.Address, err))
		case st.State.Finished():
		case !st.Problem.Empty():
			all = append(all, fmt.Errorf("%s has not ended: %s", j.Address, st.Problem.Phrase(view.Phrase)))
		default:
			all = append(all, fmt.Errorf("%s has not ended; see \"openpai status\"", j.Address))
		}
	}
	return errors.Join(all...)
}

// interrupts counts Ctrl-C and SIGTERM: the first requests an orderly end, the second
// an immediate end.
type interrupts struct {
	// The first signal cancels first, the second signal cancels second.
	first, second context.Context
}

// watchInterrupts handles the signals until stop is called.
func watchInterrupts(parent context.Context) (i *interrupts, stop func()) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	first, endFirst := context.WithCancel(parent)
	second, endSecond := context.WithCancel(parent)
	go func() {
		for _, end := range []context.CancelFunc{endFirst, endSecond} {
			select {
			case <-signals:
				end()
			case <-second.Done():
				return
			}
		}
	}()
	return &interrupts{first: first, second: second}, func() {
		signal.Stop(signals)
		endFirst()
		endSecond()
	}
}
