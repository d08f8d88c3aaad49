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

// ErrNoOtherOwners is the error for a cluster whose jobs all have the same owner.
var ErrNoOtherOwners = errors.New("all jobs on this cluster have the same owner; there are no jobs to adopt")

// Holder returns the owner of a job's Framework. It fails with
// cluster.ErrNotFound if there is no Framework.
func (o *Operation) Holder(ctx context.Context, job *resolve.Job) (*cluster.Holder, error) {
	a, _, err := o.adopter(job)
	if err != nil {
		return nil, err
	}
	return a.Holder(ctx, job.Framework)
}

// Adopt transfers the Framework of a job to the workspace. It records the
// front end as the declarer of the job. Running tasks do not change.
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

// beginAdopted assigns a run number to an adopted job. The caller must call save
// after the job has become part of the workspace. save writes the record. A job that
// already has a run in this workspace, such as a Terraform job, keeps the run. If the
// address of the job changes, the run receives the next number.
func (o *Operation) beginAdopted(ctx context.Context, c cluster.Cluster, job *resolve.Job) (run int, save func() error, err error) {
	store, ok := c.(cluster.RunStore)
	finder, findable := c.(cluster.Finder)
	if !ok || !findable {
		return 0, func() error { return nil }, nil
	}
	before, err := finder.Find(ctx, job.Framework)
	if err != nil {
		return 0, nil, err
	}
	b, err := o.openBook(ctx, job.Cluster, store, nil, true)
	if err != nil {
		return 0, nil, err
	}
	var known *history.Run
	if before != nil {
		if known, err = b.byUID(ctx, job.Framework, before.UID); err != nil {
			return 0, nil, err
		}
	}
	if known != nil && known.Address == job.Address {
		return known.Number, func() error { return nil }, nil
	}
	next := cluster.Numbering{Address: job.Address, Framework: job.Framework, AtLeast: o.recorded(job.Address)}
	if before != nil {
		next.AtLeast = max(next.AtLeast, before.Run) // the runs in the former workspace have lower numbers
	}
	numbers, err := cluster.NumberRuns(ctx, b.store, b.workspace, b.kept, []cluster.Numbering{next})
	if err != nil {
		return 0, nil, err
	}
	return numbers[job.Address], func() error {
		live, err := finder.Find(ctx, job.Framework)
		if err != nil || live == nil {
			return err
		}
		r := o.adoptedRun(job, known, live.UID)
		r.UID, r.Number, r.Adopted = live.UID, numbers[job.Address], true
		if err := b.save(ctx, r); err != nil {
			return err
		}
		if err := o.publish(r); err != nil {
			return err
		}
		if known != nil && known.UID == live.UID {
			o.unpublish(known)
			return b.store.RemoveRun(ctx, b.workspace, known.Key(), false)
		}
		if before != nil && before.UID == live.UID {
			o.handOver(ctx, c, store, before)
		}
		return nil
	}, nil
}

// adoptedRun returns a copy of known with the address of the job if the UIDs
// match. Otherwise, it returns a new record.
func (o *Operation) adoptedRun(job *resolve.Job, known *history.Run, uid string) *history.Run {
	if known != nil && known.UID == uid {
		r := *known
		r.Address = job.Address
		return &r
	}
	var origin history.Origin
	if o.options.Origin != nil {
		origin = o.options.Origin()
	}
	hash, _ := planner.Hashes(job)
	return history.New(job, hash, origin, o.now())
}
