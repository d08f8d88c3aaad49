// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// RecordedRun is a run of the history with the current state of its job.
type RecordedRun struct {
	*history.Run
	On string // name of the cluster that stores the record
	// Live is the job of the run, or nil if the job was deleted or replaced.
	Live *Job

	store    cluster.RunStore // nil if only the run record directory contains the run
	observed *cluster.Status  // of a live job without a final outcome in the record
}

// State returns the current state of the job. If the job no longer exists, State
// returns the recorded state. It returns StateUnknown if the job was deleted
// before its outcome was recorded.
func (r RecordedRun) State() planner.JobState {
	if r.Outcome == nil {
		return planner.StateUnknown
	}
	return r.Outcome.State
}

// Deleted reports whether the run was deleted or replaced before it ended. The state of
// such a run is its last known state.
func (r RecordedRun) Deleted() bool {
	return r.Outcome != nil && r.Outcome.Deleted && !r.State().Finished()
}

// Over reports whether the run ended permanently: its job finished or no
// longer exists.
func (r RecordedRun) Over() bool { return r.Live == nil || r.State().Finished() }

// Runs lists the history of the workspace on all clusters, oldest first. The
// result omits unreadable runs, and the error joins their read errors.
func (o *Operation) Runs(ctx context.Context) ([]RecordedRun, error) {
	clusters, err := o.Clusters()
	if err != nil {
		return nil, err
	}
	jobs, errJobs := o.Jobs(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	errs := []error{errJobs}
	var all []RecordedRun
	for _, name := range slices.Sorted(maps.Keys(clusters)) {
		store, ok := clusters[name].(cluster.RunStore)
		if !ok || Unread(errJobs, name) {
			continue
		}
		runs, err := store.Runs(ctx, o.options.Workspace.Name)
		errs = append(errs, err)
		for _, r := range runs {
			recorded := RecordedRun{Run: r, On: name, Live: jobOf(r, name, jobs), store: store}
			errs = append(errs, recorded.observe(ctx, o))
			if recorded.Finished() {
				errs = append(errs, o.publish(recorded.Run))
			}
			all = append(all, recorded)
		}
	}
	published, err := o.records().runs()
	errs = append(errs, err)
	all = append(all, notIn(all, published)...)
	slices.SortStableFunc(all, func(a, b RecordedRun) int { return history.Compare(a.Run, b.Run) })
	return all, errors.Join(errs...)
}

// notIn returns the published runs without a record on any cluster, such as runs
// of other machines. It compares only UIDs, because an interrupted move leaves
// records under the old address.
func notIn(known []RecordedRun, published []*history.Run) []RecordedRun {
	var all []RecordedRun
	for _, r := range published {
		same := func(k RecordedRun) bool { return k.UID == r.UID }
		if !slices.ContainsFunc(known, same) && !slices.ContainsFunc(all, same) {
			all = append(all, RecordedRun{Run: r, On: r.Cluster})
		}
	}
	return all
}

// jobOf returns the live job of a run, or nil.
func jobOf(r *history.Run, on string, jobs []Job) *Job {
	for _, j := range jobs {
		if j.On == on && j.Framework == r.Framework && j.Run == r.Number && (j.UID == "" || j.UID == r.UID) {
			return &j
		}
	}
	return nil
}

// observe reads the current status of an unfinished job.
func (r *RecordedRun) observe(ctx context.Context, o *Operation) error {
	if r.Live == nil || r.Finished() {
		return nil
	}
	st, err := r.Live.Status(ctx)
	if errors.Is(err, cluster.ErrNotFound) {
		r.Live = nil
		return nil
	}
	if err == nil {
		r.observed = st
		applyStatus(r.Run, st, o)
	}
	return err
}

// AddMetrics adds the metrics of the running tasks to each run. Some clusters
// read the metrics from the logs of the tasks. With many tasks, such a
// cluster reads only a sample of the logs.
func (o *Operation) AddMetrics(ctx context.Context, runs ...RecordedRun) {
	on := map[cluster.Cluster][]*cluster.Status{}
	for _, r := range runs {
		if r.observed != nil {
			on[r.Live.Cluster] = append(on[r.Live.Cluster], r.observed)
		}
	}
	for c, statuses := range on {
		cluster.AddStages(ctx, c, statuses...)
	}
	for _, r := range runs {
		if r.observed != nil {
			applyStatus(r.Run, r.observed, o)
		}
	}
}

// RunLogs copies the logs of a run whose job no longer exists. open returns the
// writer for the log of an attempt, like [LogReporter]. RunLogs returns the number
// of copied logs.
func (r RecordedRun) RunLogs(ctx context.Context, open func(a cluster.AttemptID, step string) io.WriteCloser) (int, error) {
	for n, l := range r.Logs {
		w := open(cluster.AttemptID{Role: l.Role, Index: l.Index, JobAttempt: l.JobAttempt, Attempt: l.Attempt}, l.Step)
		err := r.store.RunLog(ctx, r.Run, l, w)
		if err = errors.Join(err, w.Close()); err != nil {
			return n, fmt.Errorf("read the log of %s, task %s[%d]: %w", r.Reference(), l.Role, l.Index, err)
		}
	}
	return len(r.Logs), nil
}

// RemoveRun removes the record of a run and its logs.
func (o *Operation) RemoveRun(ctx context.Context, r RecordedRun) error {
	if err := o.records().remove(r.Run); err != nil || r.store == nil {
		return err
	}
	return o.deleting(ctx, r.On, false, func(cluster.Cluster) error {
		return r.store.RemoveRun(ctx, r.Workspace, r.Key(), false)
	})
}

// Forget removes the history of the jobs at addresses from the clusters of a plan.
// If addresses is nil, it removes the whole history of the workspace. In both
// cases, earlier saved plans can no longer be applied: the history no longer shows
// which plans were applied. Forget keeps the history of jobs that another front
// end declares. It returns these jobs.
func (o *Operation) Forget(ctx context.Context, p *Plan, addresses []hclspec.Address) (kept []hclspec.Address, err error) {
	incarnation, err := newIncarnation()
	if err != nil {
		return nil, err
	}
	var errs []error
	for name, c := range p.Clusters {
		store, ok := c.(cluster.RunStore)
		if !ok {
			continue
		}
		errs = append(errs, o.deleting(ctx, name, true, func(c cluster.Cluster) error {
			elsewhere := o.elsewhere(p.Live[name], addresses)
			kept = append(kept, elsewhere...)
			if err := o.forgetExcept(ctx, o.history(name, o.options.Workspace.Name, store), addresses, elsewhere); err != nil {
				return err
			}
			if plans, ok := c.(cluster.PlanHistory); ok {
				return plans.ForgetPlans(ctx, o.options.Workspace.Name, incarnation)
			}
			return nil
		}))
	}
	slices.SortFunc(kept, hclspec.CompareNatural)
	return slices.Compact(kept), errors.Join(errs...)
}

// elsewhere returns the jobs in this workspace that another front end declares. A
// nil addresses selects all jobs.
func (o *Operation) elsewhere(s *planner.Snapshot, addresses []hclspec.Address) []hclspec.Address {
	var all []hclspec.Address
	for _, j := range s.Jobs {
		if j.Workspace == o.options.Workspace.Name && j.Elsewhere(o.options.Declarer) && (addresses == nil || slices.Contains(addresses, j.Address)) {
			all = append(all, j.Address)
		}
	}
	return all
}

// forgetExcept removes the runs of the jobs at the given addresses, except
// the addresses in except. A nil addresses selects all jobs.
func (o *Operation) forgetExcept(ctx context.Context, s cluster.RunStore, addresses, except []hclspec.Address) error {
	switch workspace := o.options.Workspace.Name; {
	case len(except) == 0:
		return cluster.ForgetRuns(ctx, s, workspace, addresses)
	case addresses == nil:
		return cluster.ForgetOthers(ctx, s, workspace, except)
	default:
		chosen := slices.DeleteFunc(slices.Clone(addresses), func(a hclspec.Address) bool { return slices.Contains(except, a) })
		return cluster.ForgetRuns(ctx, s, workspace, chosen)
	}
}

// RunCount returns the number of workspace runs on the clusters of a plan.
func (o *Operation) RunCount(ctx context.Context, p *Plan) (int, error) {
	n := 0
	for _, c := range p.Clusters {
		if store, ok := c.(cluster.RunStore); ok {
			kept, err := store.RunSizes(ctx, o.options.Workspace.Name)
			if err != nil {
				return 0, err
			}
			n += len(kept)
		}
	}
	return n, nil
}
