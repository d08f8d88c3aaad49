// SPDX-License-Identifier: MPL-2.0

package local

import (
	"errors"
	"os"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// stalled returns what is missing of a job that no process continues.
func (c *Cluster) stalled(o store.Object) (cluster.Stalled, error) {
	return c.stalledUnless(o, c.locked)
}

// stalledUnless is like [Cluster.stalled]; busy reports whether a command
// processes jobs. It is called between two checks: a job that is stalled in both
// stays stalled.
func (c *Cluster) stalledUnless(o store.Object, busy func() (bool, error)) (cluster.Stalled, error) {
	before, err := c.stall(o)
	if err != nil || before == "" {
		return "", err
	}
	if found, err := busy(); err != nil || found {
		return "", err
	}
	return c.stall(o)
}

func (c *Cluster) stall(o store.Object) (cluster.Stalled, error) {
	fw, _, err := o.Load()
	if errors.Is(err, cluster.ErrNotFound) {
		return c.layout.IncompleteRecord(o.Name), nil
	}
	if err != nil {
		return "", err
	}
	return o.Stalled(fw)
}

// lockedByOther reports whether another process is changing jobs. A process that
// is about to change them reads them again under its own lock.
func (c *Cluster) lockedByOther() (bool, error) {
	held, err := c.locked()
	return held && c.holder().PID != os.Getpid(), err
}

// undo removes what a failed submission wrote. A Framework that may have started
// stays.
func (c *Cluster) undo(o store.Object) error {
	fw, err := o.LoadSpec()
	switch {
	case errors.Is(err, cluster.ErrNotFound):
	case err != nil:
		return err
	case fw.Spec.ExecutionType != framework.ExecutionCreate:
		return nil
	}
	return c.removeAll(o)
}
