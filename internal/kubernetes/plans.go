// SPDX-License-Identifier: MPL-2.0

package kubernetes

import (
	"context"
	"fmt"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/contract"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/api"
)

// typePlans is the value of contract.KeyType on the ConfigMap with the plan
// history. plansKey is the only data key of that ConfigMap.
const (
	typePlans = "plans"
	plansKey  = "plans.json"
)

var _ cluster.PlanHistory = (*Cluster)(nil)

// plansName returns the name of the ConfigMap that contains the plan history.
// The ConfigMap belongs to the workspace and remains after the last job has
// been deleted. A saved plan therefore cannot be applied twice.
func plansName(workspace string) string { return keyName(workspace) + "-plans" }

// AppliedPlans implements cluster.PlanHistory.
func (c *Cluster) AppliedPlans(ctx context.Context, workspace string) (cluster.AppliedPlans, error) {
	var o recordObject
	err := c.get(ctx, api.ConfigMaps, plansName(workspace), &o)
	if api.IsNotFound(err) {
		return cluster.AppliedPlans{}, nil
	}
	if err != nil {
		return cluster.AppliedPlans{}, err
	}
	if o.Metadata.Annotations[contract.KeyWorkspace] != workspace {
		return cluster.AppliedPlans{}, &ForeignError{Object: "ConfigMap " + o.Metadata.Name, Owner: describeOwner(o.Metadata)}
	}
	plans, err := cluster.DecodePlans([]byte(o.Data[plansKey]))
	if err != nil {
		return cluster.AppliedPlans{}, fmt.Errorf("read the ConfigMap %s: %w", o.Metadata.Name, err)
	}
	return plans, nil
}

// KeepPlan implements cluster.PlanHistory.
func (c *Cluster) KeepPlan(ctx context.Context, workspace, id string, p cluster.AppliedPlan) error {
	plans, err := c.AppliedPlans(ctx, workspace)
	if err != nil {
		return err
	}
	return c.writePlans(ctx, workspace, plans.With(id, p))
}

func (c *Cluster) writePlans(ctx context.Context, workspace string, plans cluster.AppliedPlans) error {
	o := recordObject{
		APIVersion: "v1", Kind: "ConfigMap", Data: map[string]string{plansKey: string(plans.Encode())},
		Metadata: framework.ObjectMeta{
			Name: plansName(workspace), Namespace: c.namespace,
			Labels: map[string]string{
				contract.LabelManagedBy: contract.ManagedBy, contract.KeyType: typePlans, contract.KeyWorkspace: contract.LabelValue(workspace),
			},
			Annotations: map[string]string{contract.KeyWorkspace: workspace},
		},
	}
	return c.apply(ctx, api.ConfigMaps, o.Metadata.Name, o, true)
}

// ForgetPlans implements cluster.PlanHistory.
func (c *Cluster) ForgetPlans(ctx context.Context, workspace, incarnation string) error {
	plans, err := c.AppliedPlans(ctx, workspace)
	if err != nil || plans.Empty() {
		return err
	}
	return c.writePlans(ctx, workspace, cluster.AppliedPlans{Incarnation: incarnation})
}
