// SPDX-License-Identifier: MPL-2.0

package operation

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"github.com/hashicorp/hcl/v2"
)

// Only the history of a workspace records applied plans and the runs of jobs.
// Therefore, a command that removes the history stores a new incarnation. apply
// rejects a plan with a different incarnation. A workspace that never applied a
// saved plan has no incarnation. For such a workspace, apply checks the run numbers
// of the jobs (see checkRuns).

func newIncarnation() (string, error) {
	random := make([]byte, 8)
	if _, err := rand.Read(random); err != nil {
		return "", fmt.Errorf("remove the history: %w", err)
	}
	return hex.EncodeToString(random), nil
}

// incarnations returns the incarnations of the history, keyed by changed
// cluster.
func (o *Operation) incarnations(ctx context.Context, p *Plan) (map[string]string, error) {
	all := map[string]string{}
	for name, c := range historians(p.Plan, p.Clusters) {
		plans, err := c.AppliedPlans(ctx, p.Workspace)
		if err != nil {
			return nil, fmt.Errorf("read which plans were applied to cluster %s: %w", name, err)
		}
		if plans.Incarnation != "" {
			all[name] = plans.Incarnation
		}
	}
	return all, nil
}

func forgotten(cluster string) *hcl.Diagnostic {
	return SavedPlanForgotten.At(hcl.Range{},
		"The history of the workspace on cluster %s was removed after the plan was saved. The plan may have been applied before, so nothing was applied. Save a new plan.", cluster)
}
