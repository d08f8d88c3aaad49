// SPDX-License-Identifier: MPL-2.0

package cluster

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// ErrEnded is the error for a job that ended without reaching the awaited state.
var ErrEnded = errors.New("the job ended")

// Condition reports whether a job is in the awaited state. An error means that
// the job can no longer reach that state.
type Condition func(*Status) (bool, error)

// Finished reports whether the job has ended and cannot run again automatically.
func Finished(s *Status) (bool, error) { return s.State.Finished(), nil }

// Running reports whether the job is running or has succeeded. If the job has
// failed or was stopped, the error is [ErrEnded].
func Running(s *Status) (bool, error) {
	if s.State == planner.StateRunning || s.State == planner.StateSucceeded {
		return true, nil
	}
	return false, ended(s)
}

// Succeeded reports whether the job has succeeded. If the job has failed or was
// stopped, the error is [ErrEnded].
func Succeeded(s *Status) (bool, error) {
	if s.State == planner.StateSucceeded {
		return true, nil
	}
	return false, ended(s)
}

func ended(s *Status) error {
	if s.State.Finished() {
		return fmt.Errorf("%w: %s", ErrEnded, s.State)
	}
	return nil
}

// Intervals between polls. The first intervals are short, so that waiting for a
// short job adds little delay. The interval grows up to lastPoll. A status
// change resets the interval to firstPoll, except for progress within a stage.
const (
	firstPoll = 25 * time.Millisecond
	lastPoll  = 2 * time.Second
)

// Wait polls the status until the condition is true, and returns the last status. It
// returns early if the condition can no longer become true or the job does not exist
// (ErrNotFound). It also returns early if the job is only partly submitted or
// deleted (ErrStalled). Wait also returns after a read error or the end of the
// context. Wait calls onChange with every changed status. onChange may be nil.
func Wait(ctx context.Context, c Cluster, framework string, until Condition, onChange func(*Status)) (*Status, error) {
	return WaitAttempts(ctx, c, framework, until, onChange, nil)
}

// WaitAttempts is like [Wait], for callers that also need every task attempt.
// It calls began, which may be nil, with each attempt that an AttemptWatcher
// reports. began and onChange run on different goroutines.
func WaitAttempts(ctx context.Context, c Cluster, framework string, until Condition, onChange func(*Status), began func(AttemptID)) (*Status, error) {
	defer watchAttempts(ctx, c, framework, began)()
	var last *Status
	pause := firstPoll
	for {
		now, err := c.Status(ctx, framework)
		if err != nil {
			return last, fmt.Errorf("wait for the job %s: %w", framework, err)
		}
		if onChange != nil {
			AddStages(ctx, c, now)
		}
		if !sameStates(last, now) {
			pause = firstPoll
		}
		if !reflect.DeepEqual(last, now) {
			last = now
			if onChange != nil {
				onChange(now)
			}
		}
		if err := now.StalledError(); err != nil {
			return last, err
		}
		if done, err := until(now); done || err != nil {
			return last, err
		}
		select {
		case <-ctx.Done():
			return last, ctx.Err()
		case <-time.After(pause):
		}
		pause = min(pause+pause/2, lastPoll)
	}
}
