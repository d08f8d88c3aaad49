// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestAJobOfAnotherPlaceIsLeftBehind(t *testing.T) {
	t.Parallel()
	const moved = `job.mnist was applied in the namespace "a" and %s, according to its last known state. The provider block now refers to the namespace "b", where the job does not exist. Apply creates a new job there and does not change the old job. To move a job, destroy the job with the old provider block first.`
	for name, c := range map[string]struct {
		applied, here location
		last          planner.JobState
		want          string
	}{
		"the same place":                   {"namespace:a", "namespace:a", planner.StateRunning, ""},
		"a state of an older version":      {"", "namespace:b", planner.StateRunning, ""},
		"an unknown place":                 {"namespace:a", "", planner.StateRunning, ""},
		"another namespace while it runs":  {"namespace:a", "namespace:b", planner.StateRunning, "continues there"},
		"another namespace after it ended": {"namespace:a", "namespace:b", planner.StateSucceeded, "ended there as SUCCEEDED"},
	} {
		want := c.want
		if want != "" {
			want = fmt.Sprintf(moved, want)
		}
		if diff := cmp.Diff(want, relocationWarning(jobPrivate{Name: "mnist", Location: c.applied}, c.here, c.last)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}
