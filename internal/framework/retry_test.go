// SPDX-License-Identifier: MPL-2.0

package framework

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheRetryPolicyDecidesTheNextAttempt(t *testing.T) {
	t.Parallel()
	transient := FromCode(CodePodDeleted, "")
	conflict := FromCode(CodeTransientConflictFailed, "")
	permanent := FromCode(CodePermanentFailed, "")
	unknown := FromExit(7, "", nil)
	succeeded := FromExit(0, "", nil)
	no, counted, free, later := Decision{}, Decision{Retry: true, Accountable: true}, Decision{Retry: true}, Decision{Retry: true, Backoff: true}

	tests := map[string]struct {
		fancy   bool
		limit   int32
		retried int32
		c       *CompletionStatus
		want    Decision
	}{
		"a stopped Framework is never retried":                                 {true, -2, 0, FromCode(CodeStopRequested, ""), no},
		"a task that ended with its attempt is never retried":                  {false, -2, 0, FromCode(CodeAttemptCompletion, ""), no},
		"a task removed by a rescale is never retried":                         {false, -1, 0, FromCode(CodeDeleteTaskRequested, ""), no},
		"fancy: a transient conflict waits and does not count":                 {true, 0, 5, conflict, later},
		"fancy: a transient failure is retried immediately and does not count": {true, 0, 5, transient, free},
		"fancy: a permanent failure is not retried":                            {true, 3, 0, permanent, no},
		"fancy: a permanent failure is not retried with -2":                    {true, -2, 0, permanent, no},
		"fancy: a permanent failure is not retried with -1":                    {true, -1, 0, permanent, no},
		"fancy: an unknown failure counts":                                     {true, 1, 0, unknown, counted},
		"fancy: an unknown failure ends when the count is used":                {true, 1, 1, unknown, no},
		"fancy: success ends":                                                  {true, 3, 0, succeeded, no},
		"fancy: success with -2 runs again":                                    {true, -2, 9, succeeded, counted},
		"plain: a transient conflict counts":                                   {false, 1, 0, conflict, counted},
		"plain: a transient failure counts":                                    {false, 1, 0, transient, counted},
		"plain: a transient failure ends with 0":                               {false, 0, 0, transient, no},
		"plain: a permanent failure counts":                                    {false, 1, 0, permanent, counted},
		"plain: an unknown failure counts":                                     {false, 1, 0, unknown, counted},
		"-2 retries failures":                                                  {false, -2, 99, unknown, counted},
		"-2 retries success":                                                   {false, -2, 99, succeeded, counted},
		"-1 retries failures":                                                  {false, -1, 99, unknown, counted},
		"-1 ends with success":                                                 {false, -1, 0, succeeded, no},
		"0 ends with a failure":                                                {false, 0, 0, unknown, no},
		"0 ends with success":                                                  {false, 0, 0, succeeded, no},
		"the second failure is retried with 2":                                 {false, 2, 1, unknown, counted},
		"the third failure is not retried with 2":                              {false, 2, 2, unknown, no},
		"2 ends with success":                                                  {false, 2, 0, succeeded, no},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := Retry(RetryPolicy{tt.fancy, tt.limit}, RetryPolicyStatus{AccountableRetriedCount: tt.retried}, tt.c)
			if got.Reason == "" {
				t.Error("the decision has no reason")
			}
			got.Reason = ""
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("decision (-want +got)\n%s", diff)
			}
		})
	}
}

func TestEachRetryDecisionShowsItsReason(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		policy RetryPolicy
		status RetryPolicyStatus
		c      *CompletionStatus
		want   string
	}{
		"the count is used up":           {RetryPolicy{true, 2}, RetryPolicyStatus{AccountableRetriedCount: 2}, FromExit(7, "", nil), "AccountableRetriedCount 2 has reached MaxRetryCount 2"},
		"the count is not used up":       {RetryPolicy{true, 2}, RetryPolicyStatus{AccountableRetriedCount: 1}, FromExit(7, "", nil), "AccountableRetriedCount 1 has not reached MaxRetryCount 2"},
		"the type decides":               {RetryPolicy{true, 2}, RetryPolicyStatus{}, FromCode(CodeTransientConflictFailed, ""), "FancyRetryPolicy is true and CompletionType is Transient Conflict Failed"},
		"success decides":                {RetryPolicy{true, 2}, RetryPolicyStatus{}, FromExit(0, "", nil), "CompletionType is Succeeded"},
		"the code forbids a retry":       {RetryPolicy{true, 2}, RetryPolicyStatus{}, FromCode(CodeStopRequested, ""), "CompletionCode is -210, StopFrameworkRequested"},
		"an unknown failure is reported": {RetryPolicy{}, RetryPolicyStatus{}, FromExit(7, "", nil), "AccountableRetriedCount 0 has reached MaxRetryCount 0"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Retry(tt.policy, tt.status, tt.c).Reason; got != tt.want {
				t.Errorf("reason %q, want %q", got, tt.want)
			}
		})
	}
}

func TestAttemptsExceedTheRetryLimitByOne(t *testing.T) {
	t.Parallel()
	for _, limit := range []int32{0, 1, 5} {
		st, attempts := RetryPolicyStatus{}, int32(1)
		for {
			d := Retry(RetryPolicy{true, limit}, st, FromExit(1, "", nil))
			if !d.Retry {
				break
			}
			st, attempts = st.Next(d), attempts+1
		}
		if attempts != limit+1 || st.TotalRetriedCount != limit {
			t.Errorf("%d attempts and %d retries with MaxRetryCount %d", attempts, st.TotalRetriedCount, limit)
		}
	}
}

func TestFreeRetriesAreNotCounted(t *testing.T) {
	t.Parallel()
	delay := int64(60)
	got := RetryPolicyStatus{3, 1, &delay}.Next(Decision{Retry: true})
	if diff := cmp.Diff(RetryPolicyStatus{TotalRetriedCount: 4, AccountableRetriedCount: 1}, got); diff != "" {
		t.Errorf("status (-want +got)\n%s", diff)
	}
}
