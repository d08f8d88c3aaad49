// SPDX-License-Identifier: MPL-2.0

package cluster_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

func TestAppliedPlansForgetWhatHasExpired(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	plan := func(days int) cluster.AppliedPlan {
		return cluster.AppliedPlan{Begun: now, Expires: now.AddDate(0, 0, days), Finished: true}
	}
	all := cluster.AppliedPlans{Incarnation: "x"}.With("old", plan(-1)).With("a", plan(1)).With("b", plan(30))
	want := cluster.AppliedPlans{Incarnation: "x", Plans: map[string]cluster.AppliedPlan{"a": plan(1), "b": plan(30)}}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again, err := cluster.DecodePlans(all.Encode())
	if diff := cmp.Diff(all, again); diff != "" || err != nil {
		t.Errorf("%v (-written +read):\n%s", err, diff)
	}
}

func TestInvalidPlanRecordsAreErrors(t *testing.T) {
	t.Parallel()
	for text, later := range map[string]bool{`{"version":2}`: true, `{}`: false, `nothing`: false, ``: false} {
		if _, err := cluster.DecodePlans([]byte(text)); err == nil || errors.Is(err, cluster.ErrLaterRecord) != later {
			t.Errorf("%q: %v", text, err)
		}
	}
}
