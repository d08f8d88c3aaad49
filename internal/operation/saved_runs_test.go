// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
)

// TestASupersededPlanIsNotApplied checks plans whose jobs have run and been destroyed
// in the meantime.
func TestASupersededPlanIsNotApplied(t *testing.T) {
	t.Parallel()
	a, b := newJob("a", "ls"), newJob("b", "ls")
	counted := func(numbers map[hclspec.Address]int) *history.Counters { return &history.Counters{Last: numbers} }
	tests := map[string]struct {
		before, after map[hclspec.Address]int // last run numbers
		moved         []*hclspec.Moved
		want, reason  string
	}{
		"nothing ran":     {nil, nil, nil, "", ""},
		"runs before it":  {map[hclspec.Address]int{"job.a": 3}, map[hclspec.Address]int{"job.a": 3}, nil, "", ""},
		"another job ran": {nil, map[hclspec.Address]int{"job.c": 1}, nil, "", ""},
		"the history was removed": {
			map[hclspec.Address]int{"job.a": 3}, nil, nil, "saved-plan-forgotten", "The history of the workspace on cluster local was removed after the plan was saved",
		},
		"the history moved": {
			map[hclspec.Address]int{"job.old": 3}, map[hclspec.Address]int{"job.a": 3}, []*hclspec.Moved{{From: "job.old", To: "job.a"}}, "", "",
		},
		"a job ran": {
			map[hclspec.Address]int{"job.a": 3}, map[hclspec.Address]int{"job.a": 4}, nil, "saved-plan-superseded", "job.a was submitted after the plan was saved and no longer exists",
		},
		"all jobs ran": {
			nil, map[hclspec.Address]int{"job.a": 1, "job.b": 1}, nil, "saved-plan-superseded", "job.a, job.b were submitted after the plan was saved and no longer exist",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSaving(t, a, b)
			s.moved, s.cluster.counters = tt.moved, counted(tt.before)
			s.save()
			s.cluster.counters = counted(tt.after)
			code, detail := s.apply()
			if code != tt.want || !strings.Contains(detail, tt.reason) {
				t.Errorf("refused with %q: %s", code, detail)
			}
			if tt.want != "" && len(s.cluster.calls) > 0 {
				t.Errorf("a rejected plan made the calls %v", s.cluster.calls)
			}
		})
	}
}
