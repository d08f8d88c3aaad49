// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"errors"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestAJobThatAnotherCallerCreatedExists checks that Create fails if a job
// appears after the plan was created. A job that a killed Create left must not
// cause an error.
func TestAJobThatAnotherCallerCreatedExists(t *testing.T) {
	t.Parallel()
	wanted := newJob("mnist", "python train.py")
	tests := map[string]struct {
		before, after *planner.LiveJob
		want          string // expected error
	}{
		"the job does not exist":                         {},
		"another caller has created it":                  {after: live(wanted), want: "exists"},
		"another caller is creating it":                  {after: live(wanted, creating), want: "exists"},
		"it has other content":                           {after: live(newJob("mnist", "ls")), want: "exists"},
		"another job of the workspace appeared":          {after: live(newJob("other", "ls")), want: "stale"},
		"the same caller was killed during the creation": {before: live(wanted, creating), after: live(wanted, creating)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &fake{jobs: jobs(tt.before)}
			o := newOperation(c, nil)
			p, err := o.Plan(t.Context(), operation.Request{Jobs: []*resolve.Job{wanted}, New: true})
			if err != nil {
				t.Fatal(err)
			}
			c.jobs = jobs(tt.after)
			_, err = o.Create(t.Context(), p, *p.Changes[0], false, operation.ApplyOptions{})
			var exists *operation.ExistsError
			got := ""
			switch {
			case errors.As(err, &exists):
				got = "exists"
			case errors.Is(err, operation.ErrStale):
				got = "stale"
			case err != nil:
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("%q, want %q: %v", got, tt.want, err)
			}
		})
	}
}

func creating(j *planner.LiveJob) { j.Creating = true }
