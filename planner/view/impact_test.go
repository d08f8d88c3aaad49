// SPDX-License-Identifier: MPL-2.0

package view

import (
	"slices"
	"testing"

	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestEveryImpactHasWords(t *testing.T) {
	t.Parallel()
	worker := func(by int) []planner.Rescaled { return []planner.Rescaled{{TaskRole: "worker", By: by, Known: true}} }
	tests := map[string]planner.Impact{
		"": {},
		"no task runs; the job's record is deleted":        {Code: planner.ImpactRecordLost},
		"1 running task ends":                              {Code: planner.ImpactTasksEnd, Tasks: 1},
		"2 running tasks end":                              {Code: planner.ImpactTasksEnd, Tasks: 2},
		"up to 3 running tasks end":                        {Code: planner.ImpactRunningEnds, Tasks: 3},
		"no task is running yet; the job waits again":      {Code: planner.ImpactWaitsAgain},
		"no task is running yet; the job never starts":     {Code: planner.ImpactNeverStarts},
		"1 task of worker is added":                        {Code: planner.ImpactTasksRescale, Rescaled: worker(1)},
		"2 tasks of worker are added; the others continue": {Code: planner.ImpactTasksRescale, Rescaled: worker(2), OthersRunning: true},
		"1 task of worker ends; the others continue":       {Code: planner.ImpactTasksRescale, Rescaled: worker(-1), OthersRunning: true},
		"3 tasks of worker end, the number of tasks of ps changes": {
			Code: planner.ImpactTasksRescale, Rescaled: append(worker(-3), planner.Rescaled{TaskRole: "ps"}),
		},
	}
	codes := planner.ImpactCodes()
	for want, impact := range tests {
		if got := Impact(impact); got != want {
			t.Errorf("%s: %q, want %q", impact.Code, got, want)
		}
		codes = slices.DeleteFunc(codes, func(c planner.ImpactCode) bool { return c == impact.Code })
	}
	if len(codes) > 0 {
		t.Errorf("not tried: %v", codes)
	}
}
