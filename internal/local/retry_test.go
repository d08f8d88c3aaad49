package local

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// conflicted is a supervisor whose Framework has just ended an attempt because
// its gang did not meet in time.
func conflicted(t *testing.T, now *time.Time) *supervisor {
	t.Helper()
	s := &supervisor{
		now: func() time.Time { return *now }, random: rand.Reader,
		binding: &binding{MinDelay: 60 * time.Second, MaxDelay: 90 * time.Second},
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
	if s.fw.Status.State != framework.StateAttemptCompleted || s.wake.IsZero() {
		t.Fatalf("state %s before the delay was over, woken at %s", s.fw.Status.State, s.wake)
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
	b := &binding{MinDelay: time.Second, MaxDelay: 3 * time.Second}
	for range 1000 {
		if d := b.delay(rand.Reader); d < b.MinDelay || d >= b.MaxDelay {
			t.Fatalf("delay %s", d)
		}
	}
	b.MaxDelay = b.MinDelay
	if d := b.delay(rand.Reader); d != time.Second {
		t.Errorf("delay %s", d)
	}
}
