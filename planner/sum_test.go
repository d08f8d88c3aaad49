// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestThePlanHasTheUsageBeforeAndAfter checks the resource usage of jobs before
// and after apply. Each job has two tasks, each with 1 CPU and 1024 MiB.
func TestThePlanHasTheUsageBeforeAndAfter(t *testing.T) {
	t.Parallel()
	gpus := func(n, seconds int) jobOption {
		return withRole(func(r *resolve.TaskRole) { r.GPU, r.MaxRunSeconds = n, seconds })
	}
	in := func(vc string) jobOption { return func(j *resolve.Job) { j.VirtualCluster = vc } }
	usage := func(jobs, gpus int) planner.Usage {
		return planner.Usage{Tasks: 2 * jobs, CPUs: 2 * jobs, MemoryMB: 2048 * jobs, GPUs: gpus}
	}
	sum := func(vc string, before, after planner.Usage) planner.Sum {
		return planner.Sum{Cluster: "local", VirtualCluster: vc, Before: before, After: after}
	}
	tests := map[string]struct {
		jobs    []*resolve.Job
		live    []*planner.LiveJob
		targets []hclspec.Address
		offline bool
		want    []planner.Sum
	}{
		"a job is created": {
			jobs: []*resolve.Job{newJob("a", gpus(4, 0))},
			want: []planner.Sum{{Cluster: "local", VirtualCluster: "default", After: usage(1, 8), Unlimited: 8}},
		},
		"its hours are limited": {
			jobs: []*resolve.Job{newJob("a", gpus(4, 3600))},
			want: []planner.Sum{{Cluster: "local", VirtualCluster: "default", After: usage(1, 8), GPUSeconds: 8 * 3600}},
		},
		"an unchanged, a deleted and a waiting job": {
			jobs: []*resolve.Job{newJob("a", gpus(1, 0)), newJob("c")},
			live: []*planner.LiveJob{newLive(newJob("a", gpus(1, 0))), newLive(newJob("b", gpus(2, 0))), newLive(newJob("c"), inState(planner.StateWaiting))},
			want: []planner.Sum{sum("default", usage(3, 6), usage(2, 2))},
		},
		"a job moves to another virtual cluster": {
			jobs: []*resolve.Job{newJob("a", gpus(1, 60), in("batch"))},
			live: []*planner.LiveJob{newLive(newJob("a", gpus(1, 60)))},
			want: []planner.Sum{
				{Cluster: "local", VirtualCluster: "batch", After: usage(1, 2), GPUSeconds: 120},
				sum("default", usage(1, 2), planner.Usage{}),
			},
		},
		"a finished job uses nothing": {
			jobs: []*resolve.Job{newJob("a")}, live: []*planner.LiveJob{newLive(newJob("a"), exited(1))}, want: []planner.Sum{},
		},
		"a job that is not a target does not change": {
			jobs: []*resolve.Job{newJob("a"), newJob("b")}, live: []*planner.LiveJob{newLive(newJob("b"))}, targets: []hclspec.Address{"job.a"},
			want: []planner.Sum{sum("default", usage(1, 0), usage(2, 0))},
		},
		"more tasks in place": {
			jobs: []*resolve.Job{newJob("a", withInstances(3), func(j *resolve.Job) { j.Rescale = "in_place" })},
			live: []*planner.LiveJob{newLive(newJob("a", func(j *resolve.Job) { j.Rescale = "in_place" }))},
			want: []planner.Sum{sum("default", usage(1, 0), planner.Usage{Tasks: 3, CPUs: 3, MemoryMB: 3072})},
		},
		"only hashes are known": {
			jobs: []*resolve.Job{newJob("a")}, live: []*planner.LiveJob{newLive(newJob("a"), withoutValues)},
			want: []planner.Sum{{Cluster: "local", Unknown: 1}},
		},
		"a job of another workspace": {
			live: []*planner.LiveJob{newLive(newJob("a"), func(l *planner.LiveJob) { l.Workspace = "theirs" })}, want: []planner.Sum{},
		},
		"offline": {
			jobs: []*resolve.Job{newJob("a")}, offline: true,
			want: []planner.Sum{sum("default", planner.Usage{}, usage(1, 0))},
		},
		"a job with an SKU": {
			jobs: []*resolve.Job{newJob("a", func(j *resolve.Job) {
				j.Hived = &resolve.Hived{TaskRoles: []*resolve.HivedTaskRole{{Name: "worker", SKUType: "V100"}}}
			})},
			want: []planner.Sum{{Cluster: "local", VirtualCluster: "default", SKU: "V100", After: usage(1, 0)}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := planner.New(planner.Options{Workspace: "ws", Jobs: tt.jobs, Live: has(tt.live...), Targets: tt.targets, Offline: tt.offline})
			want := tt.want
			if diff := cmp.Diff(want, p.Sums); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestGPUTimeCountsLimitedRetries checks the total GPU time of all attempts.
// A single task without a retry limit makes the total unknown.
func TestGPUTimeCountsLimitedRetries(t *testing.T) {
	t.Parallel()
	job := func(name string, count int) *resolve.Job {
		return newJob(name, withRole(func(r *resolve.TaskRole) { r.GPU, r.MaxRunSeconds = 4, 3600 }), func(j *resolve.Job) { j.JobRetryCount = count })
	}
	// notFancy renders Frameworks that count every retry.
	notFancy := func(job *resolve.Job, target render.Target) (*render.Manifest, hcl.Diagnostics) {
		m, diags := render.Objects(job, target)
		m.Framework.Spec.RetryPolicy.FancyRetryPolicy = job.JobRetryCount > 10
		return m, diags
	}
	const attempt = 2 * 4 * 3600
	tests := map[string]struct {
		jobs     []*resolve.Job
		renderer planner.Renderer
		want     [2]int64
	}{
		"transient failures retry without limit":  {jobs: []*resolve.Job{job("a", 2)}, want: [2]int64{attempt, 0}},
		"all retries count":                       {jobs: []*resolve.Job{job("a", 2)}, renderer: notFancy, want: [2]int64{attempt, 3 * attempt}},
		"jobs with different numbers of attempts": {jobs: []*resolve.Job{job("a", 2), job("b", 0)}, renderer: notFancy, want: [2]int64{2 * attempt, 4 * attempt}},
		"one of two jobs retries without limit":   {jobs: []*resolve.Job{job("a", 2), job("b", 11)}, renderer: notFancy, want: [2]int64{2 * attempt, 0}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := planner.New(planner.Options{
				Workspace: "ws", Jobs: tt.jobs, Live: has(), Renderer: tt.renderer,
				RenderTargets: map[string]render.Target{"local": {Local: true}},
			})
			if got := [2]int64{p.Sums[0].GPUSeconds, p.Sums[0].RetriedGPUSeconds}; got != tt.want {
				t.Errorf("GPU seconds of an attempt and of all = %v, want %v", got, tt.want)
			}
		})
	}
}
