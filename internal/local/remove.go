package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// Stop implements cluster.Cluster. A job that has ended stays as it is. It
// returns when the supervisor has noticed the request.
func (c *Cluster) Stop(ctx context.Context, name string) error {
	o, err := c.object(name)
	if err != nil {
		return err
	}
	if err := o.stoppable(); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	if err := o.ask(requestStop, c.options.Now()); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	if err := c.awaitNotice(ctx, o); err != nil {
		return fmt.Errorf("stop: %w", err)
	}
	return nil
}

// Delete implements cluster.Cluster. A job of which only the record is left
// loses that.
func (c *Cluster) Delete(ctx context.Context, name string) error {
	release, err := c.hold()
	if err != nil {
		return err
	}
	defer release()
	o, err := c.object(name)
	if err != nil {
		return err
	}
	_, err = o.loadSpec()
	if errors.Is(err, cluster.ErrNotFound) {
		r, recordErr := c.layout.loadRecord(name)
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

// remove deletes a Framework and all that belongs to it. It is marked first
// and its own file goes last but the record, so that the next command goes on
// with a deletion that was killed.
func (c *Cluster) remove(ctx context.Context, o object) error {
	if err := c.markRemoved(o); err != nil {
		return err
	}
	if err := c.awaitEnd(ctx, o); err != nil {
		return err
	}
	return c.removeAll(o)
}

// removeAll removes everything of a Framework of which nothing runs.
func (c *Cluster) removeAll(o object) error {
	for _, dir := range []string{c.layout.jobSecrets(o.name), c.layout.runs(o.name)} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if err := o.removeFiles(); err != nil {
		return err
	}
	return c.layout.removeRecord(o.name)
}

// markRemoved stops the Framework for good. The record forgets the outcome: a
// job that is half deleted is no finished one. On a full disk the mark on the
// Framework must do.
func (c *Cluster) markRemoved(o object) error {
	err := o.ask(requestDelete, c.options.Now())
	if err != nil && !errors.Is(err, cluster.ErrNotFound) {
		return err
	}
	err = o.editRecord(c.layout, func(r *record) { r.State, r.ExitCode, r.Completed = "", nil, nil })
	if noRoom(err) {
		return nil
	}
	return err
}

// awaitEnd waits until nothing of the Framework runs any more and its
// supervisor has ended.
func (c *Cluster) awaitEnd(ctx context.Context, o object) error {
	err := c.awaitSupervisor(ctx, o, func(fw *framework.Framework) (bool, error) {
		held, err := locked(o.supervisorLock())
		ended := fw.Spec.ExecutionType == framework.ExecutionCreate || fw.Status != nil && fw.Status.State == framework.StateCompleted
		return ended && !held, err
	})
	if err != nil {
		return fmt.Errorf("wait for its tasks to end: %w", err)
	}
	return nil
}

// removeFiles removes the directory of the Framework, its spec last.
func (o object) removeFiles() error {
	entries, err := os.ReadDir(o.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if name := filepath.Join(o.dir, e.Name()); name != o.specFile() {
			if err := os.RemoveAll(name); err != nil {
				return err
			}
		}
	}
	return os.RemoveAll(o.dir)
}
