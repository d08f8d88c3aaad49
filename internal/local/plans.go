// SPDX-License-Identifier: MPL-2.0

package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/openpai/terraform-provider-openpai/internal/atomicfile"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
)

var _ cluster.PlanHistory = (*Cluster)(nil)

// AppliedPlans implements cluster.PlanHistory.
func (c *Cluster) AppliedPlans(_ context.Context, workspace string) (cluster.AppliedPlans, error) {
	file := c.layout.PlansFile(workspace)
	var text json.RawMessage
	err := store.ReadJSON(file, &text)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("history of saved plans: %w", err)
	}
	plans, err := cluster.DecodePlans(text)
	if err != nil {
		return nil, fmt.Errorf("history of saved plans: %w", &store.UnreadableError{File: file, Err: err})
	}
	return plans, nil
}

// KeepPlan implements cluster.PlanHistory.
func (c *Cluster) KeepPlan(ctx context.Context, workspace, id string, p cluster.AppliedPlan) error {
	release, err := c.acquire()
	if err != nil {
		return err
	}
	defer release()
	plans, err := c.AppliedPlans(ctx, workspace)
	if err != nil {
		return err
	}
	file := c.layout.PlansFile(workspace)
	if err := os.MkdirAll(c.layout.Plans(), 0o755); err != nil {
		return fmt.Errorf("keep the saved plan: %w", err)
	}
	return atomicfile.Write(file, plans.With(id, p).Encode(), 0o644)
}

// ForgetPlans implements cluster.PlanHistory.
func (c *Cluster) ForgetPlans(_ context.Context, workspace string) error {
	if err := c.layout.Check(); err != nil {
		return err
	}
	if err := os.Remove(c.layout.PlansFile(workspace)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget which plans were applied: %w", err)
	}
	_ = os.Remove(c.layout.Plans()) // fails if it has plans of other workspaces
	return nil
}
