// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// A plan that creates a job contains no UID. A job that does not exist may have
// run and been destroyed after the plan was saved. The last run number is kept
// after the job is deleted, so a changed number reveals such a run.

// runCounter is the part of a cluster.RunStore that counts runs.
type runCounter interface {
	Counters(ctx context.Context, workspace string) (*history.Counters, error)
}

// lastRuns returns the last run numbers of created jobs, keyed by cluster and
// address. The result omits jobs without a run.
func (o *Operation) lastRuns(ctx context.Context, p *Plan) (map[string]map[hclspec.Address]int, error) {
	all := map[string]map[hclspec.Address]int{}
	counters := map[string]*history.Counters{}
	for _, c := range p.Changes {
		store, ok := p.Clusters[c.Cluster].(runCounter)
		if c.Action != planner.Create || !ok {
			continue
		}
		if counters[c.Cluster] == nil {
			read, err := store.Counters(ctx, p.Workspace)
			if err != nil {
				return nil, fmt.Errorf("read the run numbers of cluster %s: %w", c.Cluster, err)
			}
			counters[c.Cluster] = read
		}
		if last := o.lastRun(counters[c.Cluster], c.Address); last > 0 {
			if all[c.Cluster] == nil {
				all[c.Cluster] = map[hclspec.Address]int{}
			}
			all[c.Cluster][c.Address] = last
		}
	}
	return all, nil
}

// lastRun returns the last run number of a job. It includes runs at earlier
// addresses, because the next apply moves their history.
func (o *Operation) lastRun(c *history.Counters, address hclspec.Address) int {
	last := c.Last[address]
	for from, to := range o.moved() {
		if to == address {
			last = max(last, c.Last[from])
		}
	}
	return last
}

// checkRuns rejects a saved plan if a job to create has run since the plan
// was saved. A lower run number means that the history was removed. The
// removed history may have contained a new run.
func (o *Operation) checkRuns(ctx context.Context, s *Saved, now *Plan) error {
	runs, err := o.lastRuns(ctx, now)
	if err != nil {
		return err
	}
	var all differences
	for _, c := range now.Changes {
		if c.Action != planner.Create {
			continue
		}
		is, was := runs[c.Cluster][c.Address], s.Runs[c.Cluster][c.Address]
		if is < was {
			return refuse(hcl.Diagnostics{forgotten(c.Cluster)})
		}
		if is > was {
			all.add(c.Address, about("was submitted after the plan was saved and no longer exists", "were submitted after the plan was saved and no longer exist", ""))
		}
	}
	if reasons := all.list(); len(reasons) > 0 {
		return refuse(hcl.Diagnostics{SavedPlanSuperseded.At(hcl.Range{},
			"%s. Applying this plan would run the work again. Nothing was applied. Save a new plan.", sentences(reasons))})
	}
	return nil
}
