// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestRefusalsFoldInstances checks that jobs with a common cause share one
// sentence.
func TestRefusalsFoldInstances(t *testing.T) {
	t.Parallel()
	family := func(command string, changes ...func(*planner.LiveJob)) (all []*resolve.Job, exist []*planner.LiveJob) {
		for i := range 12 {
			job := newJob(fmt.Sprintf("exp-%d", i), command)
			job.Address = hclspec.Address(fmt.Sprintf("job.exp[%q]", fmt.Sprint(i)))
			all, exist = append(all, job), append(exist, live(job, changes...))
		}
		return all, exist
	}
	wanted, _ := family("new")
	_, existing := family("old", running(1))
	_, busier := family("old", running(2))
	_, starting := family("old", waiting)
	_, others := family("old", running(1), func(j *planner.LiveJob) { j.UID = "2" })
	_, same := family("new")
	_, unstarted := family("new", waiting, func(j *planner.LiveJob) { j.Unstarted = true })
	tests := map[string]struct {
		before, after []*planner.LiveJob
		change        func(*saving)
		reason        string
	}{
		"created since":                   {nil, same, nil, "job.exp[0-11] were to be created, but would now be left alone"},
		"submitted but not started since": {nil, unstarted, nil, "job.exp[0-11] would still be created, for a different reason: an interrupted apply did not start the job (in the saved plan: not on the cluster yet)"},
		"gone since": {
			existing, nil, nil, "job.exp[0-11] no longer exist; job.exp[0-11] were to be replaced, but would now be created",
		},
		"other jobs since": {existing, others, nil, "job.exp[0-11] are no longer the jobs that were planned"},
		"running since":    {starting, existing, nil, "job.exp[0-11] were not started and are running now"},
		"more tasks since": {existing, busier, nil, "24 running tasks of job.exp[0-11] would end now, but the plan shows 12"},
		"another value as applied": {
			existing, nil, edited(`"Before":"old"`, `"Before":"older"`, true), `job.exp[0-11] would still be replaced, with a different value of task_role["worker"].commands[0]`,
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSaving(t, wanted...)
			s.cluster.jobs = tt.before
			s.save()
			if tt.change == nil {
				tt.change = func(s *saving) { s.cluster.jobs = tt.after }
			}
			tt.change(s)
			code, detail := s.apply()
			if !strings.HasPrefix(code, "saved-plan-") || !strings.Contains(detail, tt.reason) || strings.Count(detail, "job.exp") > 2 {
				t.Errorf("refused with %q: %s", code, detail)
			}
		})
	}
}
