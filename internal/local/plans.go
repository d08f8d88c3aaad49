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
		return cluster.AppliedPlans{}, nil
	}
	if err != nil {
		return cluster.AppliedPlans{}, fmt.Errorf("history of saved plans: %w", err)
	}
	plans, err := cluster.DecodePlans(text)
	if err != nil {
		return cluster.AppliedPlans{}, fmt.Errorf("history of saved plans: %w", &store.UnreadableError{File: file, Err: err})
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
	return c.writePlans(workspace, plans.With(id, p))
}

func (c *Cluster) writePlans(workspace string, plans cluster.AppliedPlans) error {
	if err := os.MkdirAll(c.layout.Plans(), 0o755); err != nil {
		return fmt.Errorf("write the list of applied plans: %w", err)
	}
	return atomicfile.Write(c.layout.PlansFile(workspace), plans.Encode(), 0o644)
}

// ForgetPlans implements cluster.PlanHistory.
func (c *Cluster) ForgetPlans(ctx context.Context, workspace, incarnation string) error {
	if err := c.layout.Check(); err != nil {
		return err
	}
	plans, err := c.AppliedPlans(ctx, workspace)
	var damaged *store.UnreadableError
	if err != nil && !errors.As(err, &damaged) || err == nil && plans.Empty() {
		return err
	}
	return c.writePlans(workspace, cluster.AppliedPlans{Incarnation: incarnation})
}
