// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// ErrNoOtherOwners is the error for a cluster on which all jobs have the same
// owner, so that no job can be adopted.
var ErrNoOtherOwners = errors.New("jobs of this cluster have no other owner")

// Holder returns the owner of the Framework of a job. It fails with
// cluster.ErrNotFound if there is no Framework.
func (o *Operation) Holder(ctx context.Context, job *resolve.Job) (*cluster.Holder, error) {
	a, _, err := o.adopter(job)
	if err != nil {
		return nil, err
	}
	return a.Holder(ctx, job.Framework)
}

// Adopt transfers the Framework of a job to the workspace and records that the
// front end of the operation declares the job. Running tasks do not change.
func (o *Operation) Adopt(ctx context.Context, job *resolve.Job) error {
	a, c, err := o.adopter(job)
	if err != nil {
		return err
	}
	unlock, err := o.Lock(ctx, map[string]cluster.Cluster{job.Cluster: c})
	if err != nil {
		return err
	}
	defer unlock()
	run, save, err := o.beginAdopted(ctx, c, job)
	if err != nil {
		return err
	}
	if err := a.Adopt(ctx, job, o.options.Declarer, run); err != nil {
		return err
	}
	return save()
}

func (o *Operation) adopter(job *resolve.Job) (cluster.Adopter, cluster.Cluster, error) {
	if err := refuse(o.checkNames([]*resolve.Job{job})); err != nil {
		return nil, nil, err
	}
	c, err := o.Cluster(job.Cluster)
	if err != nil {
		return nil, nil, err
	}
	a, ok := c.(cluster.Adopter)
	if !ok {
		return nil, nil, ErrNoOtherOwners
	}
	return a, c, nil
}

// beginAdopted returns the number of the run of an adopted job. A Framework that
// has a run in the history of the job keeps the number: the other front end of the
// workspace submitted it. Otherwise, save writes the record of a new run once the
// job belongs to the workspace.
func (o *Operation) beginAdopted(ctx context.Context, c cluster.Cluster, job *resolve.Job) (run int, save func() error, err error) {
	save = func() error { return nil }
	store, ok := c.(cluster.RunStore)
	finder, findable := c.(cluster.Finder)
	if !ok || !findable {
		return 0, save, nil
	}
	b, err := o.openBook(ctx, job.Cluster, store, nil, true)
	if err != nil {
		return 0, nil, err
	}
	live, err := finder.Find(ctx, job.Framework)
	if err != nil {
		return 0, nil, err
	}
	if live != nil {
		known, err := b.byUID(ctx, job.Framework, live.UID)
		if err != nil || known != nil && known.Address == job.Address {
			return numberOf(known), save, err
		}
	}
	next := cluster.Numbering{Address: job.Address, Framework: job.Framework, AtLeast: o.recorded(job.Address)}
	if b.numbers, err = cluster.NumberRuns(ctx, b.store, b.workspace, b.kept, []cluster.Numbering{next}); err != nil {
		return 0, nil, err
	}
	return b.numbers[job.Address], func() error { return o.saveAdopted(ctx, b, finder, job) }, nil
}

// saveAdopted writes the record of the run of an adopted job.
func (o *Operation) saveAdopted(ctx context.Context, b *book, finder cluster.Finder, job *resolve.Job) error {
	live, err := finder.Find(ctx, job.Framework)
	if err != nil || live == nil {
		return err
	}
	var origin history.Origin
	if o.options.Origin != nil {
		origin = o.options.Origin()
	}
	hash, _ := planner.Hashes(job)
	r := history.New(job, hash, origin, o.now())
	r.UID, r.Number, r.Adopted = live.UID, b.numbers[job.Address], true
	return b.save(ctx, r)
}
