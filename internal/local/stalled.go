// SPDX-License-Identifier: MPL-2.0

package local

import (
	"errors"
	"os"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

// stalled returns "" if the job is complete or a process is continuing it.
func (c *Cluster) stalled(o store.Object) (cluster.Stalled, error) {
	fw, err := loadIfExists(o)
	if err != nil {
		return "", err
	}
	return c.stalledUnless(o, fw, c.locked)
}

// stalledUnless is like [Cluster.stalled] for a Framework that was just read (nil if
// absent). busy reports whether a command is processing jobs. If no command is
// processing jobs, stalledUnless checks the job again, because a command may have
// ended since the first check.
func (c *Cluster) stalledUnless(o store.Object, fw *framework.Framework, busy func() (bool, error)) (cluster.Stalled, error) {
	before, err := c.stall(o, fw)
	if err != nil || before == "" {
		return "", err
	}
	if found, err := busy(); err != nil || found {
		return "", err
	}
	if fw, err = loadIfExists(o); err != nil {
		return "", err
	}
	return c.stall(o, fw)
}

// loadIfExists returns nil if the Framework does not exist.
func loadIfExists(o store.Object) (*framework.Framework, error) {
	fw, _, err := o.Load()
	if errors.Is(err, cluster.ErrNotFound) {
		return nil, nil
	}
	return fw, err
}

func (c *Cluster) stall(o store.Object, fw *framework.Framework) (cluster.Stalled, error) {
	if fw == nil {
		return c.layout.IncompleteRecord(o.Name), nil
	}
	return o.Stalled(fw)
}

// lockedByOther reports whether another process is changing jobs. A caller that
// later changes jobs must read them again while it holds the lock.
func (c *Cluster) lockedByOther() (bool, error) {
	held, err := c.locked()
	return held && c.holder().PID != os.Getpid(), err
}

// undo removes the files of a failed submission. It does not remove a Framework
// that may have started.
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
