// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestDriftComparesWithWhatWasApplied(t *testing.T) {
	t.Parallel()
	foreign := planner.Drift{Object: "Framework f-edited", Path: "spec.retryPolicy", Kind: planner.DriftForeign}
	change := map[string]func(*planner.LiveJob){
		"as-applied": func(*planner.LiveJob) {},
		"edited":     func(j *planner.LiveJob) { j.Drift = []planner.Drift{foreign} },
		"vanished":   func(j *planner.LiveJob) { j.Present = false },
		"ended":      func(j *planner.LiveJob) { ended(j); j.Present = false },
		"not-seen":   func(j *planner.LiveJob) { j.Present, j.State = false, planner.StateUnknown },
		"unstarted":  func(j *planner.LiveJob) { j.Unstarted, j.Present = true, false },
		"unreadable": func(j *planner.LiveJob) {
			j.Unreadable, j.Drift = &planner.Unreadable{File: "record.json"}, []planner.Drift{foreign}
		},
	}
	c := &fake{}
	for name, f := range change {
		c.jobs = append(c.jobs, live(newJob(name, "declared otherwise"), f))
	}
	jobs, err := newOperation(c, nil).JobsWithDrift(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]planner.Drift{}
	for _, j := range operation.Drifted(jobs) {
		got[j.Address.String()] = j.Drift
	}
	want := map[string][]planner.Drift{
		"job.edited":   {foreign},
		"job.vanished": {{Object: "Framework f-vanished", Kind: planner.DriftMissing}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("drift (-want +got):\n%s", diff)
	}
	if err := operation.NotCompared(jobs); err == nil || err.Error() != "compare job.unreadable: cannot read record.json" {
		t.Errorf("not compared: %v", err)
	}
}
