// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
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

func TestACreationWaitsNoLongerThanItsTimeout(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i := start(t, dir).resource("openpai_job")
	config := job([]string{"sleep 1000"}, tree{"wait_for": "completed", "stop_grace": "1s", "timeouts": tree{"create": "4s"}})
	action, text := i.apply(config)
	if action != "create" || !strings.Contains(text, `warning: AttributeName("wait_for"): The job continues: 4s of timeouts.create have passed; the job goes on. Refresh to see the state of job.mnist.`) {
		t.Errorf("%s\n%s", action, text)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("the next plan: %s\n%s", p.action(i.state), diff(i.state, p.state))
	}
}
