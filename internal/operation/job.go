package operation

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// Job is a job that a cluster knows, running or not.
type Job struct {
	Address   hclspec.Address
	Framework string
	State     planner.JobState
	// Cluster is nil for a job that was never applied.
	Cluster cluster.Cluster
	// Grace is the time that its tasks have to end; known from a plan only.
	Grace time.Duration
}

// Jobs lists what the clusters know of the workspace, sorted by address.
func (o *Operation) Jobs(ctx context.Context) ([]Job, error) {
	clusters, err := o.Clusters()
	if err != nil {
		return nil, err
	}
	var all []Job
	for _, name := range slices.Sorted(maps.Keys(clusters)) {
		c := clusters[name]
		snapshot, err := c.Read(ctx, o.options.Workspace.Name, nil)
		if err != nil {
			return nil, fmt.Errorf("read the jobs of cluster %s: %w", name, err)
		}
		for _, j := range snapshot.Jobs {
			if j.Workspace == o.options.Workspace.Name {
				all = append(all, Job{Address: j.Address, Framework: j.Framework, State: j.State, Cluster: c})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Job) int { return cmp.Compare(a.Address, b.Address) })
	return all, nil
}

// Job returns the job of a change that is not a deletion.
func (p *Plan) Job(c *planner.Change) Job {
	return Job{Address: c.Address, Framework: c.Framework, State: c.State, Cluster: p.Clusters[c.Cluster], Grace: stopGrace(c.Job)}
}

// stopGrace is the longest time that a task of a job has to end.
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

// Status reads the status of a job; one that was never applied is absent.
func (j Job) Status(ctx context.Context) (*cluster.Status, error) {
	if j.Cluster == nil {
		return &cluster.Status{Address: string(j.Address), State: planner.StateAbsent, TaskRoles: []cluster.TaskRole{}}, nil
	}
	st, err := j.Cluster.Status(ctx, j.Framework)
	if err != nil {
		return nil, fmt.Errorf("read the status of %s: %w", j.Address, err)
	}
	return st, nil
}

// Wait waits for a condition, see cluster.Wait.
func (j Job) Wait(ctx context.Context, until cluster.Condition, onChange func(*cluster.Status)) (*cluster.Status, error) {
	return cluster.Wait(ctx, j.Cluster, j.Framework, until, onChange)
}

// WaitAttempts is Wait for callers that need every attempt of the tasks, see
// cluster.WaitAttempts.
func (j Job) WaitAttempts(ctx context.Context, until cluster.Condition, onChange func(*cluster.Status), began func(cluster.AttemptID)) (*cluster.Status, error) {
	return cluster.WaitAttempts(ctx, j.Cluster, j.Framework, until, onChange, began)
}

// RequestStop asks a job to end and returns when that is recorded.
func (j Job) RequestStop(ctx context.Context) error {
	if err := j.Cluster.Stop(ctx, j.Framework); err != nil {
		return fmt.Errorf("stop %s: %w", j.Address, err)
	}
	return nil
}
