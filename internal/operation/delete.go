package operation

import (
	"context"
	"errors"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
)

// DeleteOptions say how a job is deleted.
type DeleteOptions struct {
	// Check may refuse the deletion, under the lock; it may be nil.
	Check func(context.Context) error
	// Replaced says that a creation of the job follows, which needs what the
	// cluster keeps for jobs in general.
	Replaced bool
}

// CleanUpError says that a deletion succeeded, and that something was not removed
// that the cluster kept for jobs in general. The next destroy tries again.
type CleanUpError struct{ Err error }

func (e *CleanUpError) Error() string { return fmt.Sprintf("clean up after the last job: %s", e.Err) }

// Unwrap returns the cause.
func (e *CleanUpError) Unwrap() error { return e.Err }

// Delete removes one job. With the last one goes what the cluster keeps for jobs
// in general; see [CleanUpError].
func (o *Operation) Delete(ctx context.Context, clusterName, framework string, d DeleteOptions) error {
	return o.deleting(ctx, clusterName, !d.Replaced, func(c cluster.Cluster) error {
		if d.Check != nil {
			if err := d.Check(ctx); err != nil {
				return err
			}
		}
		if err := o.closeRun(ctx, c, framework, d.Replaced); err != nil {
			return err
		}
		return c.Delete(ctx, framework)
	})
}

// closeRun writes what came of a run before its job is deleted. A job that is
// not replaced takes its history along.
func (o *Operation) closeRun(ctx context.Context, c cluster.Cluster, framework string, replaced bool) error {
	store, ok := c.(cluster.RunStore)
	finder, findable := c.(cluster.Finder)
	if !ok || !findable {
		return nil
	}
	live, err := finder.Find(ctx, framework)
	if err != nil || live == nil || live.Run == 0 {
		return err
	}
	if replaced {
		return o.conclude(ctx, c, live.Workspace, live)
	}
	return cluster.ForgetRuns(ctx, store, live.Workspace, []hclspec.Address{live.Address})
}

// deleting does something under the lock of a cluster. Whoever gives up the lock
// last cleans up, while no creation of this process is under way.
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
