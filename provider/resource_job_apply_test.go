// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestOnlyAJobThatNeverStartedIsBegunAgain(t *testing.T) {
	t.Parallel()
	sent := planner.LiveJob{Address: "job.train", Framework: "f0", Unstarted: true}
	cases := map[string]struct {
		live   func(planner.LiveJob) planner.LiveJob
		action planner.Action
		want   bool
	}{
		"an earlier try whose response was lost": {
			live: func(j planner.LiveJob) planner.LiveJob { return j }, action: planner.Replace, want: true,
		},
		"a job that runs": {
			live:   func(j planner.LiveJob) planner.LiveJob { j.Unstarted = false; return j },
			action: planner.Replace,
		},
		"another job that never started": {
			live:   func(j planner.LiveJob) planner.LiveJob { j.Address = "job.other"; return j },
			action: planner.Replace,
		},
		"a change in place": {
			live: func(j planner.LiveJob) planner.LiveJob { return j }, action: planner.Update,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live := c.live(sent)
			change := &planner.Change{Address: "job.train", Framework: "f0", Action: c.action}
			if got := interrupted(&planner.Snapshot{Jobs: []*planner.LiveJob{&live}}, change); got != c.want {
				t.Errorf("started again: %t, want %t", got, c.want)
			}
		})
	}
}
