// SPDX-License-Identifier: MPL-2.0

package document_test

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/document"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestTheStateOfARunFollowsFromItsOutcome(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		outcome *history.Outcome
		want    document.RunState
	}{
		"no outcome was read":    {nil, "UNKNOWN"},
		"it runs":                {&history.Outcome{State: planner.StateRunning}, "RUNNING"},
		"it has ended":           {&history.Outcome{State: planner.StateFailed}, "FAILED"},
		"deleted while it ran":   {&history.Outcome{State: planner.StateRunning, Deleted: true}, document.RunDeleted},
		"deleted after it ended": {&history.Outcome{State: planner.StateSucceeded, Deleted: true}, "SUCCEEDED"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := operation.RecordedRun{Run: &history.Run{Address: "job.train", Number: 1, Outcome: c.outcome}}
			if got := document.NewRun(r).State; got != c.want {
				t.Errorf("runs show: got %s, want %s", got, c.want)
			}
			list := document.NewRuns("ws", []operation.RecordedRun{r}, func(int) []string { return nil })
			if got := list.Runs[0].State; got != c.want {
				t.Errorf("runs: got %s, want %s", got, c.want)
			}
		})
	}
}
