// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/policy"
)

// ErrStale reports that the live state has changed since the plan was
// created.
var ErrStale = errors.New("the live state has changed since this plan was created; nothing was applied. Plan again")

// ApplyOptions controls how a plan is applied.
type ApplyOptions struct {
	// Declaration returns the job declaration to store for import;
	// Declaration may be nil.
	Declaration func(*planner.Change) []byte
	// Progress may be nil.
	Progress cluster.Progress
	// CleanUp removes the clusters' shared objects after the apply if no jobs
	// remain.
	CleanUp bool
	// Forget also removes the run history of deleted jobs.
	Forget bool
	// Reviewed is true if a person has seen the plan. Apply then fails if it would end
	// a job that started after the plan was created; see [BegunError].
	Reviewed bool
}

// Apply applies a plan without planning or rendering again. It reads missing
// secret values and locks the clusters. It fails with [ErrStale] if the plan is
// no longer valid.
func (o *Operation) Apply(ctx context.Context, p *Plan, a ApplyOptions) error {
	unlock, err := o.begin(ctx, p)
	if err != nil {
		return err
	}
	defer unlock()
	if err := p.checkCurrent(ctx, a.Reviewed); err != nil {
		return err
	}
	if err := o.execute(ctx, p, a, false); err != nil || !a.CleanUp {
		return err
	}
	return o.cleanUp(ctx, p.Clusters)
}

// begin checks the policies and reads missing secret values before it locks the
// clusters.
func (o *Operation) begin(ctx context.Context, p *Plan) (unlock func(), err error) {
	if err := o.judge(p); err != nil {
		return nil, err
	}
	if err := refuse(o.missingSecrets(p)); err != nil {
		return nil, err
	}
	return o.Lock(ctx, p.Clusters)
}

// judge evaluates the policies again, because the caller may have dropped the
// diagnostics of the plan.
func (o *Operation) judge(p *Plan) error {
	_, diags := policy.Judge(p.Plan, o.options.Policies, p.sources)
	return refuse(diags)
}

// current reads the live state. It fails with [ErrStale] if the plan is no longer
// valid.
func (p *Plan) current(ctx context.Context) (map[string]*planner.Snapshot, error) {
	now, err := p.read(ctx)
	if err != nil {
		return nil, err
	}
	if !p.holds(now) {
		return nil, ErrStale
	}
	return now, nil
}

// checkCurrent fails if the plan is no longer valid. A reviewed plan must also not
// end a job that started after the plan was created.
func (p *Plan) checkCurrent(ctx context.Context, reviewed bool) error {
	now, err := p.current(ctx)
	if err != nil || !reviewed {
		return err
	}
	return p.checkBegun(now)
}

// execute applies the changes in a plan. creating sets
// [cluster.ApplyOptions.Creating].
func (o *Operation) execute(ctx context.Context, p *Plan, a ApplyOptions, creating bool) error {
	j, err := o.newJournal(ctx, p, a)
	if err != nil {
		return err
	}
	err = cluster.Apply(ctx, p.Plan, p.Clusters, cluster.ApplyOptions{
		Secret: o.readSecret, Declaration: a.Declaration, Creating: creating, Progress: a.Progress, Journal: j,
	})
	j.close(ctx)
	if err != nil {
		return refuseStorages(refuseSecrets(err, p.sources), p.declaredStorages(), p.sources)
	}
	o.renderings.forget(p.Plan)
	return nil
}

// CleanUp removes the shared objects from a plan's clusters if no jobs
// remain. These include objects that an earlier destroy could not remove.
func (o *Operation) CleanUp(ctx context.Context, p *Plan) error {
	return o.cleanUp(ctx, p.Clusters)
}

func (o *Operation) cleanUp(ctx context.Context, clusters map[string]cluster.Cluster) error {
	var all []error
	for _, c := range clusters {
		if t, ok := c.(cluster.Cleaner); ok {
			all = append(all, t.CleanUp(ctx, o.options.Declarer))
		}
	}
	return errors.Join(all...)
}
