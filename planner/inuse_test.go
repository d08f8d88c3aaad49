// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func TestResourcesOfRunningJobsAreSummedByVirtualCluster(t *testing.T) {
	t.Parallel()
	gpus := func(n int) *resolve.Job { return newJob("a", withRole(func(r *resolve.TaskRole) { r.GPU = n })) }
	batch := newJob("b", func(j *resolve.Job) { j.VirtualCluster = "batch" })
	got := planner.AddUp([]planner.RunningJob{
		{Cluster: "gpu", Applied: gpus(4)}, {Cluster: "gpu", Applied: gpus(1)}, {Cluster: "gpu", Applied: batch}, {Cluster: "local"}, {Cluster: "local", Applied: batch},
	}, []*hclspec.Cluster{{Name: "gpu", SKUs: []*hclspec.SKU{{Name: "v100", GPU: 1, PricePerHour: "2.5"}}}})
	want := []planner.InUse{
		{Cluster: "gpu", VirtualCluster: "batch", Usage: planner.Usage{Tasks: 2, CPUs: 2, MemoryMB: 2048}, PricePerHour: 5},
		{Cluster: "gpu", VirtualCluster: "default", Usage: planner.Usage{Tasks: 4, CPUs: 4, MemoryMB: 4096, GPUs: 10}, PricePerHour: 25},
		{Cluster: "local", UnknownJobs: 1},
		{Cluster: "local", VirtualCluster: "batch", Usage: planner.Usage{Tasks: 2, CPUs: 2, MemoryMB: 2048}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("in use (-want +got):\n%s", diff)
	}
}
