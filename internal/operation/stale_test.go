// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"errors"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestAStalePlanIsRejected checks which changes to the live state make a plan
// stale.
func TestAStalePlanIsRejected(t *testing.T) {
	t.Parallel()
	wanted := newJob("mnist", "python train.py")
	other := newJob("mnist", "python old.py")
	tests := map[string]struct {
		before, after *planner.LiveJob
		destroy       bool
		reviewed      bool
		targets       []hclspec.Address
		stale         bool
	}{
		"no job runs at plan or apply time":                {},
		"a job with that name was created in the meantime": {after: live(wanted), stale: true},
		"a replaced job has progressed":                    {before: live(other, waiting), after: live(other), stale: false},
		"a reviewed job has begun":                         {before: live(other, waiting), after: live(other), reviewed: true, stale: true},
		"a reviewed job has begun and ended":               {before: live(wanted, waiting), after: live(wanted, ended), reviewed: true, destroy: true},
		"a reviewed job that is destroyed has begun":       {before: live(wanted, waiting), after: live(wanted), reviewed: true, destroy: true, stale: true},
		"a reviewed job that is destroyed still waits":     {before: live(wanted, waiting), after: live(wanted, waiting), reviewed: true, destroy: true},
		"a reviewed job that is destroyed was running":     {before: live(wanted), after: live(wanted, running(2)), reviewed: true, destroy: true},
		"a reviewed job that is up to date has begun":      {before: live(wanted, waiting), after: live(wanted), reviewed: true},
		"a job that is replaced has ended":                 {before: live(other), after: live(other, ended), stale: true},
		"a replaced job has another run now":               {before: live(other), after: live(other, func(j *planner.LiveJob) { j.UID = "2" }), stale: true},
		"a job that is replaced vanished":                  {before: live(other), stale: true},
		"another owner adopted a replaced job":             {before: live(other), after: live(other, func(j *planner.LiveJob) { j.Workspace = "theirs" }), stale: true},
		"a job that is up to date has ended":               {before: live(wanted), after: live(wanted, ended)},
		"an up-to-date job vanished while it ran":          {before: live(wanted), after: live(wanted, func(j *planner.LiveJob) { j.Present = false }), stale: true},
		"a job that is up to date has other content now":   {before: live(wanted), after: live(other), stale: true},
		"an up-to-date job was changed by another program": {before: live(wanted), after: live(wanted, func(j *planner.LiveJob) { j.Drift = []planner.Drift{{Object: "ConfigMap a"}} }), stale: true},
		"a missing supervisor runs again":                  {before: live(wanted, unsupervised), after: live(wanted)},
		"a job without a supervisor has ended":             {before: live(wanted, unsupervised), after: live(wanted, ended)},
		"a job without a supervisor has another run now":   {before: live(wanted, unsupervised), after: live(wanted, func(j *planner.LiveJob) { j.UID = "2" }), stale: true},
		"a job without a supervisor was changed":           {before: live(wanted, unsupervised), after: live(wanted, func(j *planner.LiveJob) { j.Drift = []planner.Drift{{Object: "ConfigMap a"}} }), stale: true},
		"a job that is up to date lost its supervisor":     {before: live(wanted), after: live(wanted, unsupervised), stale: true},
		"a job that is destroyed has ended":                {before: live(wanted), after: live(wanted, ended), destroy: true},
		"another job of the workspace appeared":            {before: live(wanted), after: live(newJob("other", "ls")), stale: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &fake{jobs: jobs(tt.before)}
			o := newOperation(c, nil)
			p, err := o.Plan(t.Context(), operation.Request{Jobs: []*resolve.Job{wanted}, Destroy: tt.destroy, Targets: tt.targets})
			if err != nil {
				t.Fatal(err)
			}
			c.jobs = jobs(tt.after)
			err = o.Apply(context.Background(), p, operation.ApplyOptions{Reviewed: tt.reviewed})
			if stale := errors.Is(err, operation.ErrStale); stale != tt.stale || err != nil && !stale {
				t.Errorf("error %v, want stale %t", err, tt.stale)
			}
			if tt.stale && len(c.calls) > 0 {
				t.Errorf("a stale plan made the calls %v", c.calls)
			}
		})
	}
}

func unsupervised(j *planner.LiveJob) { j.Drift = []planner.Drift{planner.SupervisorGone} }

func jobs(one *planner.LiveJob) []*planner.LiveJob {
	if one == nil {
		return nil
	}
	return []*planner.LiveJob{one}
}
