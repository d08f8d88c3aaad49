// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Job is a job of a workspace, whether it is running or not.
type Job struct {
	Address   hclspec.Address
	Framework string
	State     planner.JobState
	// Cluster is nil for a job that was never applied. On is the name of the
	// cluster.
	Cluster cluster.Cluster
	On      string
	// Applied is the job as applied, or nil if unknown.
	Applied *resolve.Job
	// Run is the run number of the job, or 0 if no history is kept.
	Run int
	// UID is the UID of the Framework, or "" if the Framework no longer exists.
	UID string
	// Drift lists the changes that other programs made after the job was applied. Only
	// [Operation.JobsWithDrift] sets the complete list.
	Drift []planner.Drift
	// Unreadable is the unreadable file of the job, or "". Only
	// [Operation.Jobs] sets Unreadable.
	Unreadable string
	// Grace is the grace period of the job's tasks; set only by a plan.
	Grace time.Duration

	operation *Operation
}

// Job returns the job of a change, which must not be a deletion.
func (p *Plan) Job(c *planner.Change) Job {
	return Job{Address: c.Address, Framework: c.Framework, State: c.State, Cluster: p.Clusters[c.Cluster], On: c.Cluster, Grace: stopGrace(c.Job), operation: p.operation}
}

// stopGrace returns the longest grace period of the tasks.
func stopGrace(job *resolve.Job) time.Duration {
	if job == nil {
		return 0
	}
	seconds := job.StopGraceSeconds
	for _, role := range job.TaskRoles {
		seconds = max(seconds, role.StopGraceSeconds)
	}
	return time.Duration(seconds) * time.Second
}

// Status reads the status of a job. The state of a job that was never applied
// is planner.StateAbsent.
func (j Job) Status(ctx context.Context) (*cluster.Status, error) {
	if j.Cluster == nil {
		return &cluster.Status{Address: string(j.Address), State: planner.StateAbsent, TaskRoles: []cluster.TaskRole{}}, nil
	}
	return j.statusFrom(ctx, j.Cluster.Status)
}

// statusFrom returns the status of an applied job. read must read from the
// cluster of the job.
func (j Job) statusFrom(ctx context.Context, read cluster.StatusFunc) (*cluster.Status, error) {
	st, err := read(ctx, j.Framework)
	if errors.Is(err, cluster.ErrNotFound) {
		return nil, cluster.NotFound("%s no longer exists: it was destroyed", j.Address)
	}
	if err != nil {
		return nil, fmt.Errorf("read the status of %s: %w", j.Address, err)
	}
	return st, nil
}

// StatusWithStages is like Status but includes the stages of running tasks.
// On some clusters, it sends more requests than Status.
func (j Job) StatusWithStages(ctx context.Context) (*cluster.Status, error) {
	st, err := j.Status(ctx)
	if err == nil && j.Cluster != nil {
		cluster.AddStages(ctx, j.Cluster, st)
	}
	return st, err
}

// Wait waits for a condition; see cluster.Wait.
func (j Job) Wait(ctx context.Context, until cluster.Condition, onChange func(*cluster.Status)) (*cluster.Status, error) {
	st, err := cluster.Wait(ctx, j.Cluster, j.Framework, until, onChange)
	j.settle(ctx, st)
	return st, j.named(err)
}

// WaitAttempts is like Wait, but reports every task attempt; see
// cluster.WaitAttempts.
func (j Job) WaitAttempts(ctx context.Context, until cluster.Condition, onChange func(*cluster.Status), began func(cluster.AttemptID)) (*cluster.Status, error) {
	st, err := cluster.WaitAttempts(ctx, j.Cluster, j.Framework, until, onChange, began)
	j.settle(ctx, st)
	return st, j.named(err)
}

// named adds the address to an error, because callers wait for several jobs
// concurrently.
func (j Job) named(err error) error {
	switch {
	case errors.Is(err, cluster.ErrStalled):
		return fmt.Errorf("%s: %w", j.Address, err)
	case errors.Is(err, cluster.ErrNotFound):
		return cluster.NotFound("%s was destroyed before it ended", j.Address)
	}
	return err
}

// RequestStop requests that the job stop. It returns when the cluster has recorded
// the request, without waiting for the job.
func (j Job) RequestStop(ctx context.Context) error {
	if err := j.Cluster.Stop(ctx, j.Framework); err != nil {
		return fmt.Errorf("stop %s: %w", j.Address, err)
	}
	return nil
}
