// SPDX-License-Identifier: MPL-2.0

package cluster_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

func TestOnlyCompletedAttemptsWaitForTheirRetry(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	seconds := func(n int64) *int64 { return &n }
	for name, c := range map[string]struct {
		state framework.State
		delay *int64
		done  *framework.CompletionStatus
		want  string
	}{
		"a delay":                        {framework.StateAttemptCompleted, seconds(30), nil, "waits 30s before attempt 3"},
		"a failure with a phrase":        {framework.StateAttemptCompleted, seconds(30), &framework.CompletionStatus{Code: 243, Phrase: "FetchSourceUnreachable"}, "waits 30s before attempt 3 after FetchSourceUnreachable"},
		"a delay of minutes":             {framework.StateAttemptCompleted, seconds(300), nil, "waits 5m before attempt 3"},
		"a delay of an hour":             {framework.StateAttemptCompleted, seconds(3600), nil, "waits 1h before attempt 3"},
		"a delay of minutes and seconds": {framework.StateAttemptCompleted, seconds(90), nil, "waits 1m30s before attempt 3"},
		"no delay":                       {framework.StateAttemptCompleted, nil, nil, ""},
		"a delay that was canceled":      {framework.StateAttemptCompleted, seconds(0), nil, ""},
		"the delay of a running attempt": {framework.StateAttemptRunning, seconds(30), nil, ""},
	} {
		r := cluster.RetryStage(c.state, since, framework.RetryPolicyStatus{TotalRetriedCount: 1, RetryDelaySec: c.delay}, c.done)
		if r == nil {
			if c.want != "" {
				t.Errorf("%s: no stage, want a waiting stage", name)
			}
			continue
		}
		if diff := cmp.Diff(c.want, r.Reason); diff != "" || !r.Until.Equal(since.Add(time.Duration(*c.delay)*time.Second)) {
			t.Errorf("%s: until %v (-want +got)\n%s", name, r.Until, diff)
		}
	}
}
