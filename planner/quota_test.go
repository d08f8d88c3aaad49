// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func withGPUs(instances, gpus int) jobOption {
	return withRole(func(r *resolve.TaskRole) { r.Instances, r.GPU = instances, gpus })
}

func noGang(j *resolve.Job) { j.GangAllocation = false }

// TestOnlyAJobThatCanNeverRunIsRejected checks that the plan rejects only a job that
// can never run, not a job that has to wait.
func TestOnlyAJobThatCanNeverRunIsRejected(t *testing.T) {
	t.Parallel()
	cluster := &hclspec.Cluster{
		Name: "local", SKUs: []*hclspec.SKU{{Name: "v100", GPU: 1, CPU: 4}, {Name: "k80", GPU: 2, CPU: 4}},
		VirtualClusters: []*hclspec.VirtualCluster{{Name: "default", Quota: map[string]int{"v100": 4, "k80": 2}}, {Name: "free"}},
	}
	tests := map[string]struct {
		jobs   []*resolve.Job
		live   []*planner.LiveJob
		others int
		want   string // codes
		detail string
	}{
		"within the quota":          {jobs: []*resolve.Job{newJob("a", withGPUs(2, 4))}},
		"a gang that can never run": {jobs: []*resolve.Job{newJob("a", withGPUs(3, 3))}, want: "quota-exceeded", detail: "needs 9 GPUs (quota 8)"},
		"sequential tasks":          {jobs: []*resolve.Job{newJob("a", withGPUs(2, 8), noGang)}, want: "quota-queues", detail: "request 16 GPUs (quota 8)"},
		"a task that can never run": {jobs: []*resolve.Job{newJob("a", withGPUs(1, 9), noGang)}, want: "quota-exceeded"},
		"CPUs":                      {jobs: []*resolve.Job{newJob("a", withRole(func(r *resolve.TaskRole) { r.Instances, r.CPU = 1, 25 }))}, want: "quota-exceeded", detail: "25 CPUs (quota 24"},
		"a resource that no SKU declares is not limited": {jobs: []*resolve.Job{newJob("a", withRole(func(r *resolve.TaskRole) { r.MemoryMB = 1 << 30 }))}},
		"two jobs together":                      {jobs: []*resolve.Job{newJob("a", withGPUs(1, 5)), newJob("b", withGPUs(1, 4))}, want: "quota-queues", detail: "request 9 GPUs (quota 8)"},
		"a job next to a running job":            {jobs: []*resolve.Job{newJob("a", withGPUs(1, 5)), newJob("b", withGPUs(1, 4))}, live: []*planner.LiveJob{newLive(newJob("b", withGPUs(1, 4)))}, want: "quota-queues"},
		"a job next to jobs of other workspaces": {jobs: []*resolve.Job{newJob("a", withGPUs(1, 5))}, others: 4, want: "quota-queues", detail: "with 4 GPUs that other workspaces use, request 9 GPUs (quota 8)"},
		"nothing starts":                         {jobs: []*resolve.Job{newJob("a", withGPUs(1, 9))}, live: []*planner.LiveJob{newLive(newJob("a", withGPUs(1, 9)))}},
		"a virtual cluster without a quota":      {jobs: []*resolve.Job{newJob("a", withGPUs(1, 99), func(j *resolve.Job) { j.VirtualCluster = "free" })}},
		"a virtual cluster that is not declared": {jobs: []*resolve.Job{newJob("a", withGPUs(1, 99), func(j *resolve.Job) { j.VirtualCluster = "else" })}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live := has(tt.live...)
			live["local"].Others = map[string]planner.OthersUse{"default": {GPUs: tt.others}}
			p := planner.New(planner.Options{Workspace: "ws", Jobs: tt.jobs, Live: live, Clusters: []*hclspec.Cluster{cluster}})
			var codes, details []string
			for _, d := range p.Diagnostics {
				codes, details = append(codes, hclspec.Code(d)), append(details, d.Detail)
			}
			if got := strings.Join(codes, " "); got != tt.want || !strings.Contains(strings.Join(details, "\n"), tt.detail) {
				t.Errorf("%q: %v", got, details)
			}
			if len(p.Quotas) != 1 || p.Quotas[0].Quota.GPUs != 8 || p.Quotas[0].Others.GPUs != tt.others {
				t.Errorf("%+v", p.Quotas)
			}
		})
	}
}

// TestQuotaHasOnlyMeasuredResources checks that the JSON document omits numbers
// that are always 0. A quota does not limit the number of tasks, and plans know
// only the GPU usage of other workspaces.
func TestQuotaHasOnlyMeasuredResources(t *testing.T) {
	t.Parallel()
	cluster := &hclspec.Cluster{
		Name: "local", SKUs: []*hclspec.SKU{{Name: "v100", GPU: 1, CPU: 4, Memory: 1024}},
		VirtualClusters: []*hclspec.VirtualCluster{{Name: "default", Quota: map[string]int{"v100": 8}}},
	}
	live := has()
	live["local"].Others = map[string]planner.OthersUse{"default": {GPUs: 3}}
	p := planner.New(planner.Options{Workspace: "ws", Jobs: []*resolve.Job{newJob("a", withGPUs(2, 1))}, Live: live, Clusters: []*hclspec.Cluster{cluster}})
	var got []map[string]any
	if err := json.Unmarshal(plainjson.MustMarshal(p.Quotas), &got); err != nil {
		t.Fatal(err)
	}
	want := []map[string]any{{
		"cluster": "local", "virtual_cluster": "default",
		"quota":  map[string]any{"gpus": 8.0, "cpus": 32.0, "memory_mb": 8192.0},
		"used":   map[string]any{"tasks": 2.0, "gpus": 2.0, "cpus": float64(p.Quotas[0].Used.CPUs), "memory_mb": float64(p.Quotas[0].Used.MemoryMB)},
		"others": map[string]any{"gpus": 3.0},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
