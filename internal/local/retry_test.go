// SPDX-License-Identifier: MPL-2.0

package local

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// conflicted returns a supervisor whose job attempt has just ended because of
// an incomplete gang.
func conflicted(t *testing.T, now *time.Time) *supervisor {
	t.Helper()
	s := &supervisor{
		now: func() time.Time { return *now }, random: rand.Reader,
		binding: &store.Binding{MinDelay: 60 * time.Second, MaxDelay: 90 * time.Second},
		fw: &framework.Framework{Spec: framework.Spec{
			ExecutionType: framework.ExecutionStart, RetryPolicy: framework.RetryPolicy{FancyRetryPolicy: true},
		}},
	}
	s.begin()
	s.fw.Status.AttemptStatus.CompletionStatus = framework.FromExit(exitspec.CodeGangTimeout, "", framework.Codes(exitspec.Entries()))
	s.enter(framework.StateAttemptCompleted)
	return s
}

func TestAConflictIsRetriedAfterTheDelay(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	s := conflicted(t, &now)
	s.advance()
	delay := s.fw.Status.RetryPolicyStatus.RetryDelaySec
	if delay == nil || *delay < 60 || *delay >= 90 {
		t.Fatalf("delay %v", delay)
	}
	now = now.Add(time.Duration(*delay)*time.Second - time.Millisecond)
	s.advance()
	if s.fw.Status.State != framework.StateAttemptCompleted || s.wakeTime.IsZero() {
		t.Fatalf("state %s before the delay was over, woken at %s", s.fw.Status.State, s.wakeTime)
	}
	now = now.Add(time.Millisecond)
	s.advance()
	st := s.fw.Status
	if st.State != framework.StateAttemptCreationPending || st.AttemptStatus.ID != 1 || st.RetryPolicyStatus.AccountableRetriedCount != 0 || st.RetryPolicyStatus.RetryDelaySec != nil {
		t.Errorf("after the delay: %+v", st)
	}
}

func TestStopEndsTheDelay(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	s := conflicted(t, &now)
	s.advance()
	s.fw.Spec.ExecutionType = framework.ExecutionStop
	for range 4 {
		s.advance()
	}
	st := s.fw.Status
	if st.State != framework.StateCompleted || st.AttemptStatus.CompletionStatus.Code != framework.CodeStopRequested || st.AttemptStatus.ID != 1 {
		t.Errorf("stopped: %+v", st)
	}
}

func TestDelaysLieBetweenTheBounds(t *testing.T) {
	t.Parallel()
	b := &store.Binding{MinDelay: time.Second, MaxDelay: 3 * time.Second}
	for range 1000 {
		if d := b.Delay(rand.Reader); d < b.MinDelay || d >= b.MaxDelay {
			t.Fatalf("delay %s", d)
		}
	}
	b.MaxDelay = b.MinDelay
	if d := b.Delay(rand.Reader); d != time.Second {
		t.Errorf("delay %s", d)
	}
}

// transient returns a supervisor whose job attempt has just ended because the
// task was killed.
func transient(t *testing.T, now *time.Time) *supervisor {
	t.Helper()
	s := conflicted(t, now)
	s.backoff = backoff{}
	s.object = store.NewLayout(t.TempDir()).Object("f")
	s.fw.Status.AttemptStatus.CompletionStatus = framework.FromExit(137, "", framework.Codes(exitspec.Entries()))
	return s
}

// again simulates the next attempt, which lasts for the given time and ends
// with code.
func again(s *supervisor, now *time.Time, lasted time.Duration, code int) {
	*now = now.Add(lasted)
	s.fw.Status.AttemptStatus.CompletionStatus = framework.FromExit(code, "", framework.Codes(exitspec.Entries()))
	s.enter(framework.StateAttemptCompleted)
}

func TestTransientFailuresPauseAndGrow(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	s := transient(t, &now)
	for n, want := range []int64{1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300} {
		s.advance()
		if delay := s.fw.Status.RetryPolicyStatus.RetryDelaySec; delay == nil || *delay != want {
			t.Fatalf("pause %d: %v, want %d s", n, delay, want)
		}
		now = now.Add(time.Duration(want)*time.Second - time.Millisecond)
		if s.advance(); s.fw.Status.State != framework.StateAttemptCompleted {
			t.Fatalf("pause %d ended early", n)
		}
		now = now.Add(time.Millisecond)
		s.advance()
		if st := s.fw.Status; st.State != framework.StateAttemptCreationPending || st.RetryPolicyStatus.AccountableRetriedCount != 0 {
			t.Fatalf("after pause %d: %+v", n, st)
		}
		again(s, &now, time.Second, 137)
	}
	now = now.Add(time.Hour)
	s.advance()
	again(s, &now, time.Minute, 137)
	if s.advance(); *s.fw.Status.RetryPolicyStatus.RetryDelaySec != 1 {
		t.Errorf("after an attempt of a minute: pause %d s", *s.fw.Status.RetryPolicyStatus.RetryDelaySec)
	}
}

func TestNoPauseFollowsAStopRescaleOrLostTask(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(s *supervisor){
		"stop":    func(s *supervisor) { s.fw.Spec.ExecutionType = framework.ExecutionStop },
		"rescale": func(s *supervisor) { s.endDelays() },
		"a task lost with its supervisor": func(s *supervisor) {
			s.fw.Status.RetryPolicyStatus.RetryDelaySec = nil
			s.fw.Status.AttemptStatus.CompletionStatus = framework.FromCode(framework.CodePodDeleted, "")
		},
	} {
		now := time.Unix(1000, 0)
		s := transient(t, &now)
		s.advance()
		end(s)
		if s.advance(); s.fw.Status.State != framework.StateAttemptCreationPending {
			t.Errorf("%s: state %s", name, s.fw.Status.State)
		}
	}
}

func TestATaskPausesByItself(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	s := transient(t, &now)
	key := store.TaskKey{Role: "worker", Index: 0}
	s.fw.Spec.TaskRoles = []framework.TaskRole{{Name: "worker", TaskNumber: 1, Task: framework.Task{RetryPolicy: framework.RetryPolicy{FancyRetryPolicy: true}}}}
	s.fw.Status.AttemptStatus.CompletionStatus = nil
	failed := s.newTask(key)
	failed.AttemptStatus.CompletionStatus = framework.FromExit(137, "", framework.Codes(exitspec.Entries()))
	s.completeTaskAttempt(key, &failed)
	if failed.State != framework.StateAttemptCompleted || failed.RetryPolicyStatus.RetryDelaySec == nil {
		t.Fatalf("task %+v", failed)
	}
	now = now.Add(time.Second)
	if s.driveTask(key, &failed); failed.State != framework.StateAttemptCreationPending || failed.AttemptStatus.ID != 1 {
		t.Errorf("after the pause: %+v", failed)
	}
}
