// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestTheJobThatRuns(t *testing.T) {
	t.Parallel()
	done := operation.Job{Address: "job.done", State: planner.StateSucceeded}
	one := operation.Job{Address: "job.one", State: planner.StateRunning}
	two := operation.Job{Address: "job.two", State: planner.StateWaiting}
	for name, c := range map[string]struct {
		jobs []operation.Job
		want string // address, or part of the error
	}{
		"one that runs":    {[]operation.Job{done, one}, "job.one"},
		"none that runs":   {[]operation.Job{done}, "no job is running"},
		"several that run": {[]operation.Job{one, done, two}, "job.one, job.two"},
	} {
		job, err := onlyRunning(c.jobs)
		if job != nil && string(job.Address) != c.want || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v, error %v", name, job, err)
		}
	}
}
