// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// adoptable is a cluster with one Framework and its history.
type adoptable struct {
	fake
	cluster.RunStore
	uid      string
	counters history.Counters
	runs     []*history.Run
	adopted  int // run number of the adopted job
}

func (a *adoptable) Find(_ context.Context, framework string) (*planner.LiveJob, error) {
	return &planner.LiveJob{Framework: framework, UID: a.uid, Present: true}, nil
}

func (a *adoptable) Holder(context.Context, string) (*cluster.Holder, error) {
	return &cluster.Holder{}, nil
}

func (a *adoptable) Adopt(_ context.Context, _ *resolve.Job, _ planner.Declarer, run int) error {
	a.adopted = run
	return nil
}

func (a *adoptable) Counters(context.Context, string) (*history.Counters, error) {
	return &a.counters, nil
}

func (a *adoptable) SaveCounters(_ context.Context, _ string, c *history.Counters) error {
	a.counters = *c
	return nil
}

func (a *adoptable) RunSizes(context.Context, string) ([]history.Size, error) {
	var all []history.Size
	for _, r := range a.runs {
		all = append(all, history.Size{Key: r.Key(), Address: r.Address})
	}
	return all, nil
}

func (a *adoptable) Run(_ context.Context, _ string, k history.Key) (*history.Run, error) {
	for _, r := range a.runs {
		if r.Key() == k {
			return r, nil
		}
	}
	return nil, cluster.ErrNotFound
}

func (a *adoptable) SaveRun(_ context.Context, r *history.Run) error {
	a.runs = append(a.runs, r)
	return nil
}

func (a *adoptable) RemoveRun(_ context.Context, _ string, k history.Key, _ bool) error {
	a.runs = slices.DeleteFunc(a.runs, func(r *history.Run) bool { return r.Key() == k })
	return nil
}

func TestAnAdoptedJobKeepsItsRun(t *testing.T) {
	t.Parallel()
	job := newJob("train", "true")
	tests := map[string]struct {
		address hclspec.Address // of the run in the history
		uid     string          // of the Framework
		run     int
		runs    int
	}{
		"submitted by the other front end":   {job.Address, "uid-1", 1, 1},
		"an earlier Framework of the job":    {job.Address, "uid-2", 2, 2},
		"a Framework of another job":         {"job.other", "uid-1", 2, 1},
		"a Framework without a known record": {"", "uid-3", 2, 2},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			earlier := history.New(job, "hash", history.Origin{}, time.Unix(0, 0))
			earlier.UID, earlier.Number, earlier.Address = "uid-1", 1, tt.address
			c := &adoptable{uid: tt.uid, runs: []*history.Run{earlier}}
			o := newOperation(c, func(*operation.Options) {})
			if err := o.Adopt(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			if c.adopted != tt.run || len(c.runs) != tt.runs {
				t.Errorf("adopted as run %d, with %d runs", c.adopted, len(c.runs))
			}
		})
	}
}
