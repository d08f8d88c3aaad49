// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// DeleteOptions controls how a job is deleted.
type DeleteOptions struct {
	// Check can reject the deletion. It receives the live job, read under the lock,
	// or nil if there is no job. Check may be nil.
	Check func(*planner.LiveJob) error
	// Replaced is set if the job will be created again. Delete then keeps the
	// shared objects of the cluster.
	Replaced bool
	// Planned is the progress in the reviewed plan, or "" if there was no plan.
	// See [BegunError].
	Planned RunState
}

// CleanUpError means that the job was deleted, but not all shared objects of the
// cluster. The next destroy tries again.
type CleanUpError struct{ Err error }

func (e *CleanUpError) Error() string { return fmt.Sprintf("clean up after the last job: %s", e.Err) }

// Unwrap returns the cause.
func (e *CleanUpError) Unwrap() error { return e.Err }

// Delete deletes one job. After the last job, it also removes the shared
// objects of the cluster; see [CleanUpError].
func (o *Operation) Delete(ctx context.Context, clusterName, framework string, d DeleteOptions) error {
	return o.deleting(ctx, clusterName, !d.Replaced, func(c cluster.Cluster) error {
		live, err := lookBefore(ctx, c, framework)
		if err == nil && d.Check != nil {
			err = d.Check(live)
		}
		if err == nil {
			err = checkBegun(d.Planned, live)
		}
		if err != nil {
			return err
		}
		if err := o.closeRun(ctx, clusterName, c, live, d.Replaced); err != nil {
			return err
		}
		err = c.Delete(ctx, framework)
		if err == nil || errors.Is(err, cluster.ErrNotFound) {
			o.Cache(clusterName).deleted(framework)
		}
		return err
	})
}

// lookBefore reads a job before its deletion. It returns nil if there is no job, or
// if the cluster does not support reading a single job.
func lookBefore(ctx context.Context, c cluster.Cluster, framework string) (live *planner.LiveJob, err error) {
	switch c := c.(type) {
	case cluster.Deleter:
		live, err = c.FindToDelete(ctx, framework)
	case cluster.Finder:
		live, err = c.Find(ctx, framework)
	}
	if err != nil {
		return nil, fmt.Errorf("read the job %s: %w", framework, err)
	}
	return live, nil
}

// closeRun writes the outcome of a run before its job is replaced. For any other
// deletion, closeRun removes the history of the job.
func (o *Operation) closeRun(ctx context.Context, clusterName string, c cluster.Cluster, live *planner.LiveJob, replaced bool) error {
	store, ok := c.(cluster.RunStore)
	if !ok || live == nil || live.Run == 0 {
		return nil
	}
	if replaced {
		return o.conclude(ctx, c, live.Workspace, live)
	}
	return o.forgetRuns(ctx, clusterName, store, live)
}

// forgetRuns removes the history of a job. A cached list with the latest run of
// the job contains all runs of the job.
func (o *Operation) forgetRuns(ctx context.Context, clusterName string, store cluster.RunStore, live *planner.LiveJob) error {
	serves := func(seen []history.Size) bool {
		return slices.ContainsFunc(seen, func(s history.Size) bool {
			return s.Framework == live.Framework && s.Number == live.Run && s.Address == live.Address
		})
	}
	kept, err := o.kept.list(ctx, clusterName, store, live.Workspace, serves)
	if err != nil {
		return err
	}
	o.kept.drop(clusterName, live.Framework)
	return cluster.ForgetListed(ctx, o.history(clusterName, live.Workspace, store), live.Workspace, kept, []hclspec.Address{live.Address})
}

// deleting calls do while it holds the lock of a cluster. If last is true,
// and do succeeds or does not find the job, the last holder of the lock in
// this process cleans up the cluster.
func (o *Operation) deleting(ctx context.Context, clusterName string, last bool, do func(cluster.Cluster) error) error {
	c, err := o.Cluster(clusterName)
	if err != nil {
		return err
	}
	locker, ok := c.(cluster.Locker)
	if !ok {
		return do(c)
	}
	l := o.lockOf(clusterName)
	if err := l.enter(ctx, locker, o.options.Patience); err != nil {
		return fmt.Errorf("lock cluster %s: %w", clusterName, err)
	}
	missing := do(c)
	if missing != nil && !errors.Is(missing, cluster.ErrNotFound) || !last {
		return errors.Join(missing, l.leave(nil))
	}
	err = l.leave(func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
		defer cancel()
		return o.cleanUp(ctx, map[string]cluster.Cluster{clusterName: c})
	})
	if err != nil && missing == nil {
		return &CleanUpError{err}
	}
	return missing
}
