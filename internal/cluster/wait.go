package cluster

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// ErrEnded says that a job ended without reaching the state that was waited
// for.
var ErrEnded = errors.New("the job ended")

// Condition says whether a job is in the state that is waited for. An error
// means that it can never be reached any more.
type Condition func(*Status) (bool, error)

// Finished is met when nothing will happen any more.
func Finished(s *Status) (bool, error) { return s.State.Finished(), nil }

// Running is met when the job runs, or succeeded already. A job that failed or
// was stopped before gives [ErrEnded].
func Running(s *Status) (bool, error) {
	if s.State == planner.StateRunning || s.State == planner.StateSucceeded {
		return true, nil
	}
	return false, ended(s)
}

// Succeeded is met when the job succeeded; one that failed or was stopped
// gives [ErrEnded].
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

// Polls start quickly, so that a short job is not waited for in vain, and
// become as slow as a person can bear. A change of state makes them quick
// again.
const (
	firstPoll = 25 * time.Millisecond
	lastPoll  = 2 * time.Second
)

// Wait asks for the status until the condition is met, and returns the last
// one. It stops early when the condition can no longer be met, when the job is
// gone (ErrNotFound) or half submitted or deleted (ErrStalled), when the
// cluster cannot be asked, and when the context ends. onChange may be nil; it
// receives every status that differs from the one before.
func Wait(ctx context.Context, c Cluster, framework string, until Condition, onChange func(*Status)) (*Status, error) {
	return WaitAttempts(ctx, c, framework, until, onChange, nil)
}

// WaitAttempts is Wait for callers that also need every attempt of the tasks:
// began receives each that an AttemptWatcher reports, from another goroutine
// than onChange. It may be nil.
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
