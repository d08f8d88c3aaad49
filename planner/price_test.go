// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestThePlanHasThePriceBeforeAndAfter checks the total hourly prices of the
// SKU units before and after apply.
func TestThePlanHasThePriceBeforeAndAfter(t *testing.T) {
	t.Parallel()
	v100 := &hclspec.SKU{Name: "v100", GPU: 1, CPU: 4, Memory: 8192, PricePerHour: "2.5"}
	tests := map[string]struct {
		skus          []*hclspec.SKU
		job           *resolve.Job
		live          []*planner.LiveJob
		before, after float64
	}{
		"GPUs":                        {skus: []*hclspec.SKU{v100}, job: newJob("a", withGPUs(2, 4)), after: 20},
		"CPUs need more units":        {skus: []*hclspec.SKU{v100}, job: newJob("a", withRole(func(r *resolve.TaskRole) { r.Instances, r.CPU = 1, 9 })), after: 7.5},
		"a task takes a unit":         {skus: []*hclspec.SKU{{Name: "x", PricePerHour: "0.1"}}, job: newJob("a", withInstances(3)), after: 0.3},
		"a job that is changed":       {skus: []*hclspec.SKU{v100}, job: newJob("a", withGPUs(2, 4)), live: []*planner.LiveJob{newLive(newJob("a", withGPUs(2, 1)))}, before: 5, after: 20},
		"no price":                    {skus: []*hclspec.SKU{{Name: "x", GPU: 1}}, job: newJob("a", withGPUs(2, 4))},
		"an SKU that is not selected": {skus: []*hclspec.SKU{v100, {Name: "k80", PricePerHour: "1"}}, job: newJob("a", withGPUs(2, 4))},
		"a cluster without SKUs":      {job: newJob("a", withGPUs(2, 4))},
	}
	for name, tt := range tests {
		p := planner.New(planner.Options{
			Workspace: "ws", Jobs: []*resolve.Job{tt.job}, Live: has(tt.live...), Clusters: []*hclspec.Cluster{{Name: "local", SKUs: tt.skus}},
		})
		if s := p.Sums[0]; s.PriceBefore != tt.before || s.PriceAfter != tt.after {
			t.Errorf("%s: %v -> %v, want %v -> %v", name, s.PriceBefore, s.PriceAfter, tt.before, tt.after)
		}
	}
}
