// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"errors"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestABegunJobIsReportedWithItsImpact(t *testing.T) {
	t.Parallel()
	tests := map[string]operation.BegunError{
		"job.a started after the plan was created: 2 running tasks would end":      {Planned: operation.RunStateNotStarted, State: planner.StateRunning, Tasks: 2},
		"job.a started after the plan was created":                                 {Planned: operation.RunStateNotStarted, State: planner.StateRunning},
		"job.a was run again after the plan was created: 1 running task would end": {Planned: operation.RunStateFinished, State: planner.StateRunning, Tasks: 1},
		"job.a was run again after the plan was created":                           {Planned: operation.RunStateFinished, State: planner.StateWaiting},
	}
	for want, e := range tests {
		e.Address = "job.a"
		if got := e.Title(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if !errors.Is(&e, operation.ErrStale) || e.Error() != want+"; nothing was applied. Plan again" {
			t.Errorf("error %q", &e)
		}
	}
}
