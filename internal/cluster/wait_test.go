// SPDX-License-Identifier: MPL-2.0

package cluster_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// film is a cluster that returns a sequence of states at given times.
type film struct {
	*memory
	begin  time.Time
	scenes []scene
	polls  int
}

type scene struct {
	at    time.Duration
	state planner.JobState
	err   error
}

func (f *film) Status(context.Context, string) (*cluster.Status, error) {
	f.polls++
	now := f.scenes[0]
	for _, s := range f.scenes {
		if time.Since(f.begin) >= s.at {
			now = s
		}
	}
	return &cluster.Status{State: now.state}, now.err
}

func TestWaitReturnsWhenTheConditionIsDecided(t *testing.T) {
	t.Parallel()
	run := []scene{{0, planner.StateWaiting, nil}, {time.Second, planner.StateRunning, nil}, {time.Hour, planner.StateSucceeded, nil}}
	tests := map[string]struct {
		scenes []scene
		until  cluster.Condition
		limit  time.Duration
		states []planner.JobState // reported states
		err    error
	}{
		"until it is finished": {run, cluster.Finished, 0, []planner.JobState{planner.StateWaiting, planner.StateRunning, planner.StateSucceeded}, nil},
		"until it runs":        {run, cluster.Running, 0, []planner.JobState{planner.StateWaiting, planner.StateRunning}, nil},
		"a succeeded job meets the condition running": {
			[]scene{{0, planner.StateSucceeded, nil}}, cluster.Running, 0, []planner.JobState{planner.StateSucceeded}, nil,
		},
		"a job that failed will never run": {
			[]scene{{0, planner.StateWaiting, nil}, {time.Second, planner.StateFailed, nil}}, cluster.Running, 0,
			[]planner.JobState{planner.StateWaiting, planner.StateFailed}, cluster.ErrEnded,
		},
		"a job that was stopped will never succeed": {
			[]scene{{0, planner.StateStopping, nil}, {time.Second, planner.StateStopped, nil}}, cluster.Succeeded, 0,
			[]planner.JobState{planner.StateStopping, planner.StateStopped}, cluster.ErrEnded,
		},
		"a failed job is finished": {
			[]scene{{0, planner.StateFailed, nil}}, cluster.Finished, 0, []planner.JobState{planner.StateFailed}, nil,
		},
		"a job that is deleted in the meantime": {
			[]scene{{0, planner.StateRunning, nil}, {time.Minute, "", cluster.ErrNotFound}}, cluster.Finished, 0,
			[]planner.JobState{planner.StateRunning}, cluster.ErrNotFound,
		},
		"a job in an unknown state may become known again": {
			[]scene{{0, planner.StateUnknown, nil}, {time.Minute, planner.StateSucceeded, nil}}, cluster.Succeeded, 0,
			[]planner.JobState{planner.StateUnknown, planner.StateSucceeded}, nil,
		},
		"until the timeout": {
			[]scene{{0, planner.StateRunning, nil}}, cluster.Finished, time.Minute, []planner.JobState{planner.StateRunning}, context.DeadlineExceeded,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := &film{memory: newMemory(), begin: time.Now(), scenes: tt.scenes}
				ctx := t.Context()
				if tt.limit > 0 {
					limited, cancel := context.WithTimeout(ctx, tt.limit)
					defer cancel()
					ctx = limited
				}
				var reported []planner.JobState
				last, err := cluster.Wait(ctx, f, "framework", tt.until, func(s *cluster.Status) { reported = append(reported, s.State) })
				if !errors.Is(err, tt.err) {
					t.Errorf("error %v, want %v", err, tt.err)
				}
				if diff := cmp.Diff(tt.states, reported); diff != "" {
					t.Errorf("states (-want +got):\n%s", diff)
				}
				if last == nil || last.State != reported[len(reported)-1] {
					t.Errorf("last status %v", last)
				}
			})
		})
	}
}

// Over an hour, Wait must send at most one request every two seconds on average. It
// must observe the end of a job within two seconds.
func TestWaitSendsFewRequests(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &film{memory: newMemory(), begin: time.Now(), scenes: []scene{{0, planner.StateRunning, nil}, {time.Hour, planner.StateSucceeded, nil}}}
		if _, err := cluster.Wait(t.Context(), f, "framework", cluster.Finished, nil); err != nil {
			t.Fatal(err)
		}
		if late := time.Since(f.begin) - time.Hour; late > 2*time.Second || f.polls > 1830 {
			t.Errorf("%d polls, the end was observed %s late", f.polls, late)
		}
	})
}
