// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// ExistsError is returned if a job to create already exists. The job belongs to
// a different owner, such as a different state or a lost state.
type ExistsError struct {
	Address hclspec.Address
	Job     *planner.LiveJob
	// Creator is nil, or a [cluster.ErrBeingCreated] if another process is still
	// creating the job.
	Creator error
}

func (e *ExistsError) Error() string {
	if e.Creator != nil {
		return fmt.Sprintf("%s: %s", e.Address, e.Creator)
	}
	return fmt.Sprintf("%s exists already", e.Address)
}

// Unwrap returns the cause.
func (e *ExistsError) Unwrap() error { return e.Creator }

// Creation is a job that was submitted for a caller that keeps its own state.
// Create rejects other callers until Finish is called. If a caller is killed
// before Finish, its next run can repeat the creation.
type Creation struct {
	operation          *Operation
	cluster, framework string
	job                *resolve.Job
	creator            cluster.Creator // nil if the cluster does not support marks
	waits              bool
	release            []func()
}

// Create applies the plan of a job that is not in the caller's state. If the caller
// calls Finish much later, it must set waits. Create then unlocks the clusters
// before it returns, so that other jobs can be changed. Create fails with an
// [ExistsError] if the job exists. It does not fail if a killed Create left the job
// behind.
func (o *Operation) Create(ctx context.Context, p *Plan, job planner.Change, waits bool, a ApplyOptions) (*Creation, error) {
	unlock, err := o.begin(ctx, p)
	if err != nil {
		return nil, err
	}
	c := &Creation{operation: o, cluster: job.Cluster, framework: job.Framework, job: job.Job, waits: waits}
	c.creator, _ = p.Clusters[job.Cluster].(cluster.Creator)
	if err := c.submit(ctx, p, &job, waits, a); err != nil {
		c.end()
		unlock()
		return nil, err
	}
	if waits {
		unlock()
	} else {
		c.release = append(c.release, unlock)
	}
	return c, nil
}

func (c *Creation) submit(ctx context.Context, p *Plan, job *planner.Change, waits bool, a ApplyOptions) error {
	now, err := p.read(ctx)
	if err != nil {
		return err
	}
	live := now[c.cluster].Job(c.framework)
	if err := mayCreate(job, live); err != nil { // another caller may have created the job after the plan
		return err
	}
	if !p.holds(now) {
		return ErrStale
	}
	if c.creator != nil && (waits || live != nil && live.Creating) {
		release, err := c.creator.HoldCreation(ctx, c.framework)
		if errors.Is(err, cluster.ErrBeingCreated) {
			return &ExistsError{Address: job.Address, Job: live, Creator: err}
		}
		if err != nil {
			return err
		}
		c.release = append(c.release, release)
	}
	return c.operation.execute(ctx, p, a, c.creator != nil)
}

// mayCreate returns an [ExistsError] for a job that another caller created. The
// job may be created if no task can run: the submission was interrupted or the
// Framework does not exist.
func mayCreate(job *planner.Change, live *planner.LiveJob) error {
	switch {
	case live != nil && job.Reason.Code == planner.ReasonElsewhere:
	case live == nil, live.Unstarted, live.Vanished():
		return nil
	case live.Creating && job.Action == planner.NoOp && !job.Outdated:
		return nil
	}
	return &ExistsError{Address: job.Address, Job: live}
}

// checkNew returns an [ExistsError] if a job to create already exists in the
// live state of the plan. Plan calls checkNew before the clusters are locked.
func (p *Plan) checkNew() error {
	for _, c := range p.Changes {
		if c.Job == nil || p.Live[c.Cluster] == nil {
			continue
		}
		if err := mayCreate(c, p.Live[c.Cluster].Job(c.Framework)); err != nil {
			return err
		}
	}
	return nil
}

// finishTime is the timeout for the requests after a job is created. The
// caller's timeout does not apply, because it may expire during the creation.
const finishTime = 30 * time.Second

// Finish transfers the job to the caller, who then writes the job to the state.
// It returns the live job, or nil if the job does not exist.
func (c *Creation) Finish(ctx context.Context) (*planner.LiveJob, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
	defer cancel()
	defer c.end()
	cache := c.operation.Cache(c.cluster)
	if c.creator == nil {
		return cache.Reread(ctx, c.framework)
	}
	job, err := c.creator.FinishCreation(ctx, c.framework, c.waits)
	if err != nil {
		err = fmt.Errorf("read the job %s: %w", c.framework, err)
	}
	if job != nil && job.Applied == nil {
		if hash, _ := planner.Hashes(c.job); job.Hash == hash {
			job.Applied = c.job
		}
	}
	return cache.wrote(c.framework, job, err)
}

func (c *Creation) end() {
	for _, release := range slices.Backward(c.release) {
		release()
	}
	c.release = nil
}
