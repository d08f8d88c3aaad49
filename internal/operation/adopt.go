// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
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
