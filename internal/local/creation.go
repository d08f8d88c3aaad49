// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"errors"
	"os"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// HoldCreation implements cluster.Creator with a lock on a file next to the
// record.
func (c *Cluster) HoldCreation(_ context.Context, framework string) (release func(), err error) {
	if _, err := c.object(framework); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(c.layout.Records(), 0o755); err != nil {
		return nil, err
	}
	lock, err := store.TryLock(c.layout.CreationLock(framework))
	if errors.Is(err, store.ErrLocked) {
		return nil, cluster.ErrBeingCreated
	}
	if err != nil {
		return nil, err
	}
	return func() {
		_ = os.Remove(c.layout.CreationLock(framework)) // removed before the release, so that a waiting process locks a new file
		lock.Release()
	}, nil
}

// FinishCreation implements cluster.Creator.
func (c *Cluster) FinishCreation(_ context.Context, framework string, _ bool) (*planner.LiveJob, error) {
	o, err := c.object(framework)
	if err != nil {
		return nil, err
	}
	if err := o.EditRecord(c.layout, func(r *cluster.Record) { r.Creating = false }); err != nil {
		return nil, err
	}
	return c.readJob(framework)
}
