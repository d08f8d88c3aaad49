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

// ExistsError says that a job that a caller wants to create exists already, so
// it belongs to somebody else: another state, or one that was lost.
type ExistsError struct {
	Address hclspec.Address
	Job     *planner.LiveJob
	// Creator is the cause where another process is still creating the job, a
	// [cluster.ErrBeingCreated]; else nil.
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

// Creation is a job that was submitted for a caller that keeps its own
// state. Until Finish other callers are refused, and one that is killed can repeat
// it.
type Creation struct {
	operation          *Operation
	cluster, framework string
	job                *resolve.Job
	creator            cluster.Creator // nil: the cluster keeps no marks
	waits              bool
	release            []func()
}

// Create carries out the plan of a job that the caller does not have yet. waits
// says that Finish comes late: other jobs can be changed meanwhile. A job that
// exists is an [ExistsError], unless an earlier Create of it was killed.
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
	now, err := p.current(ctx)
	if err != nil {
		return err
	}
	live := now[c.cluster].Job(c.framework)
	if err := mayCreate(job, live); err != nil {
		return err
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

// mayCreate returns an [ExistsError] for a job that is not the caller's to
// create. What is left of an interrupted submission runs nothing, and so does a
// job that vanished.
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

// checkNew refuses jobs that exist already, as far as that shows before the
// clusters are locked.
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

// finishTime bounds the requests after a creation, which may have used up the
// time of its caller.
const finishTime = 30 * time.Second

// Finish makes the job the caller's, which writes its state next, and returns
// the job as it is; nil when there is none.
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
