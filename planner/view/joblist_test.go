// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// TestLongListsOfJobsAreLimited checks the limit for long lists of jobs. The
// instance keys do not form a range. Markdown must still list all jobs that
// end.
func TestLongListsOfJobsAreLimited(t *testing.T) {
	t.Parallel()
	var jobs, changed []*resolve.Job
	for i := range 200 {
		for _, command := range []string{"old", "new"} {
			job := trainJob()
			job.Address = hclspec.Address(fmt.Sprintf("job.exp[%q]", fmt.Sprintf("lr=%d", i)))
			job.Name, job.Framework, job.Secrets = fmt.Sprintf("exp-%d", i), fmt.Sprintf("%032x", i), nil
			job.TaskRoles[0].Steps[0].Callbacks[0].Commands = []string{command}
			if command == "old" {
				jobs = append(jobs, job)
			} else {
				changed = append(changed, job)
			}
		}
	}
	created := planner.New(planner.Options{Workspace: "team", Jobs: jobs, Live: map[string]*planner.Snapshot{"gpu": {}}})
	replaced := planner.New(planner.Options{Workspace: "team", Jobs: changed, Live: map[string]*planner.Snapshot{"gpu": {Jobs: liveJobs(jobs)}}})
	for name, tt := range map[string]struct {
		shown string
		whole bool
	}{
		"text of new jobs":         {text(t, created, view.TextOptions{}), false},
		"Markdown of new jobs":     {markdown(t, created, view.MarkdownOptions{}), false},
		"text of ended jobs":       {text(t, replaced, view.TextOptions{}), false},
		"Markdown of ended jobs":   {markdown(t, replaced, view.MarkdownOptions{}), true},
		"text of each of new jobs": {text(t, created, view.TextOptions{Detail: true}), true},
		"text of each of old jobs": {text(t, replaced, view.TextOptions{Detail: true}), true},
	} {
		if got := strings.Contains(tt.shown, "lr=150"); got != tt.whole {
			t.Errorf("%s: shows all jobs: %t\n%s", name, got, tt.shown)
		}
		if more := strings.Contains(tt.shown, " more"); !tt.whole && !more {
			t.Errorf("%s: the other jobs are not counted\n%s", name, tt.shown)
		}
	}
}
