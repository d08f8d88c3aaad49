// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// Stop implements cluster.Cluster. It does not change a job that has ended. It
// returns after the supervisor has received the request.
func (c *Cluster) Stop(ctx context.Context, name string) error {
	o, err := c.object(name)
	if err != nil {
		return err
	}
	if bad, err := c.unreadable(o); bad || err != nil {
		return errors.Join(err, c.endUnreadable(ctx, o))
	}
	if err := o.Stoppable(); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	switch release, err := c.lockIfUnsupervised(o); {
	case err != nil && !errors.Is(err, store.ErrLocked):
		return fmt.Errorf("stop: %w", err)
	case release != nil:
		defer release()
	}
	if err := o.AddRequest(store.RequestStop, c.options.Now()); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	if err := c.awaitNotice(ctx, o); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	return nil
}

// Delete implements cluster.Cluster. If only a job's record remains, it
// deletes the record.
func (c *Cluster) Delete(ctx context.Context, name string) error {
	release, err := c.acquire()
	if err != nil {
		return err
	}
	defer release()
	o, err := c.object(name)
	if err != nil {
		return err
	}
	if bad, err := c.unreadable(o); err != nil {
		return err
	} else if bad {
		return errors.Join(c.endUnreadable(ctx, o), c.removeAll(o))
	}
	_, err = o.LoadSpec()
	if errors.Is(err, cluster.ErrNotFound) {
		r, recordErr := c.layout.LoadRecord(name)
		if recordErr != nil {
			return recordErr
		}
		if r == nil {
			return err
		}
	} else if err != nil {
		return err
	}
	if err := c.remove(ctx, o); err != nil {
		return fmt.Errorf("delete Framework %s: %w", name, err)
	}
	return nil
}

// remove first marks the Framework for deletion. It deletes the spec and then
// the record last, so that the next command can continue an interrupted
// deletion.
func (c *Cluster) remove(ctx context.Context, o store.Object) error {
	if err := c.markRemoved(o); err != nil {
		return err
	}
	if err := c.awaitEnd(ctx, o); err != nil {
		return err
	}
	return c.removeAll(o)
}

// removeAll removes all files of a Framework except the logs of its run. No
// process of the Framework may be running. On a full disk, it also removes
// these logs.
func (c *Cluster) removeAll(o store.Object) error {
	if err := c.keepLogs(o); err != nil && !store.IsDiskFull(err) {
		return err
	}
	for _, dir := range []string{c.layout.JobSecrets(o.Name), c.layout.Attempts(o.Name)} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if err := o.RemoveFiles(); err != nil {
		return err
	}
	return c.layout.RemoveRecord(o.Name)
}

// markRemoved stops the Framework permanently. It clears the recorded outcome,
// because a partly deleted job must not be treated as finished. On a full disk, it
// only marks the Framework for deletion.
func (c *Cluster) markRemoved(o store.Object) error {
	err := o.AddRequest(store.RequestDelete, c.options.Now())
	if err != nil && !errors.Is(err, cluster.ErrNotFound) {
		return err
	}
	err = o.EditRecord(c.layout, (*cluster.Record).ForgetOutcome)
	if store.IsDiskFull(err) {
		return nil
	}
	return err
}

// awaitEnd waits for the end of the supervisor and all processes.
func (c *Cluster) awaitEnd(ctx context.Context, o store.Object) error {
	err := c.awaitSupervisor(ctx, o, func(fw *framework.Framework) (bool, error) {
		held, err := store.IsLocked(o.SupervisorLock())
		ended := fw.Spec.ExecutionType == framework.ExecutionCreate || fw.Status != nil && fw.Status.State == framework.StateCompleted
		return ended && !held, err
	})
	if err != nil {
		return fmt.Errorf("wait for its tasks to end: %w", err)
	}
	return nil
}
