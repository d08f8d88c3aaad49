package operation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
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
	// Cluster is nil for a job that was never applied. On is its name.
	Cluster cluster.Cluster
	On      string
	// Applied is the job as it was applied; nil when that is not known.
	Applied *resolve.Job
	// Run is the number of its run in the history; 0: none is kept.
	Run int
	// UID is that of its Framework; "" when it is gone.
	UID string
	// Drift is what somebody changed since it was applied; known from
	// [Operation.Jobs] only.
	Drift []planner.Drift
	// Grace is the time that its tasks have to end; known from a plan only.
	Grace time.Duration

	operation *Operation
}

// Jobs lists what the clusters know of the workspace, sorted by address. The
// jobs of the clusters that could be read come with an error that joins an
// [UnreadCluster] for each of the others.
func (o *Operation) Jobs(ctx context.Context) ([]Job, error) {
	clusters, err := o.Clusters()
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(clusters))
	found, errs := make([][]Job, len(names)), make([]error, len(names))
	var reading sync.WaitGroup
	for n, name := range names {
		reading.Go(func() { found[n], errs[n] = o.jobsOn(ctx, name, clusters[name]) })
	}
	reading.Wait()
	all := slices.Concat(found...)
	slices.SortStableFunc(all, func(a, b Job) int { return cmp.Compare(a.Address, b.Address) })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return all, errors.Join(errs...)
}

func (o *Operation) jobsOn(ctx context.Context, name string, c cluster.Cluster) ([]Job, error) {
	snapshot, err := c.Read(ctx, o.options.Workspace.Name, nil)
	if err != nil {
		return nil, &UnreadCluster{Name: name, Err: err}
	}
	var all []Job
	for _, j := range snapshot.Jobs {
		if j.Workspace == o.options.Workspace.Name {
			all = append(all, Job{Address: j.Address, Framework: j.Framework, State: j.State, Cluster: c, On: name, Applied: j.Applied, Run: j.Run, UID: j.UID, Drift: driftOf(j), operation: o})
		}
	}
	return all, nil
}

// UnreadCluster is a cluster whose jobs cannot be listed.
type UnreadCluster struct {
	Name string
	Err  error
}

func (u *UnreadCluster) Error() string {
	return fmt.Sprintf("read the jobs of cluster %s: %s", u.Name, u.Err)
}

// Unwrap returns why.
func (u *UnreadCluster) Unwrap() error { return u.Err }

// Is reports whether the target is about the same cluster.
func (u *UnreadCluster) Is(target error) bool {
	other, ok := target.(*UnreadCluster)
	return ok && other.Name == u.Name
}

// Unread reports whether an error of [Operation.Jobs] is about a cluster.
func Unread(err error, name string) bool {
	return errors.Is(err, &UnreadCluster{Name: name})
}

// Statuses reads the statuses of jobs, in their order. A cluster that fails is
// asked no more: its jobs are missing, and the error joins the first of each such
// cluster.
func Statuses(ctx context.Context, jobs []Job) ([]*cluster.Status, error) {
	var all []*cluster.Status
	var errs []error
	failed := map[string]bool{}
	for _, j := range jobs {
		if failed[j.On] {
			continue
		}
		st, err := j.StatusWithStages(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			failed[j.On] = !errors.Is(err, cluster.ErrNotFound) // a job that was just deleted
			errs = append(errs, err)
			continue
		}
		all = append(all, st)
	}
	return all, errors.Join(errs...)
}

// Job returns the job of a change that is not a deletion.
func (p *Plan) Job(c *planner.Change) Job {
	return Job{Address: c.Address, Framework: c.Framework, State: c.State, Cluster: p.Clusters[c.Cluster], On: c.Cluster, Grace: stopGrace(c.Job), operation: p.operation}
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

// StatusWithStages is Status with the stages of running tasks, which take
// further requests on some clusters.
func (j Job) StatusWithStages(ctx context.Context) (*cluster.Status, error) {
	st, err := j.Status(ctx)
	if err == nil && j.Cluster != nil {
		cluster.AddStages(ctx, j.Cluster, st)
	}
	return st, err
}

// Wait waits for a condition, see cluster.Wait.
func (j Job) Wait(ctx context.Context, until cluster.Condition, onChange func(*cluster.Status)) (*cluster.Status, error) {
	st, err := cluster.Wait(ctx, j.Cluster, j.Framework, until, onChange)
	j.settle(ctx, st)
	return st, j.named(err)
}

// WaitAttempts is Wait for callers that need every attempt of the tasks, see
// cluster.WaitAttempts.
func (j Job) WaitAttempts(ctx context.Context, until cluster.Condition, onChange func(*cluster.Status), began func(cluster.AttemptID)) (*cluster.Status, error) {
	st, err := cluster.WaitAttempts(ctx, j.Cluster, j.Framework, until, onChange, began)
	j.settle(ctx, st)
	return st, j.named(err)
}

// named adds the job to an error of a wait: several jobs are waited for at once.
func (j Job) named(err error) error {
	if errors.Is(err, cluster.ErrStalled) {
		return fmt.Errorf("%s: %w", j.Address, err)
	}
	return err
}

// RequestStop asks a job to end and returns when that is recorded.
func (j Job) RequestStop(ctx context.Context) error {
	if err := j.Cluster.Stop(ctx, j.Framework); err != nil {
		return fmt.Errorf("stop %s: %w", j.Address, err)
	}
	return nil
}
