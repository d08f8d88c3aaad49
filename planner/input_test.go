// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestEachInputIsListedOnce checks which inputs a plan lists for the jobs that apply
// starts. Each job has two tasks.
func TestEachInputIsListedOnce(t *testing.T) {
	t.Parallel()
	needs := func(image string, fetches ...*resolve.Fetch) jobOption {
		return withRole(func(r *resolve.TaskRole) {
			r.Image.URI = image
			r.Steps = []*resolve.Step{{Address: "prerequisite.data.a", Fetch: fetches}, {Address: "prerequisite.data.b", Fetch: fetches}}
		})
	}
	known := func(_ string, f *resolve.Fetch) (int64, bool) {
		return map[string]int64{"http://a": 7, "http://b": 8}[f.URL], f.URL == "http://a"
	}
	a, b := &resolve.Fetch{URL: "http://a", SizeMB: 3}, &resolve.Fetch{URL: "http://b", SHA256: "00"}
	tests := map[string]struct {
		jobs []*resolve.Job
		live []*planner.LiveJob
		want planner.Inputs
	}{
		"each input once, with its number of tasks": {
			jobs: []*resolve.Job{newJob("x", needs("i", a, b)), newJob("y", needs("i", a)), newJob("z", needs("j@sha256:0"))},
			want: planner.Inputs{
				Downloads: []planner.Download{
					{Cluster: "local", URL: "http://a", Size: 7, Cached: true, Tasks: 4}, {Cluster: "local", URL: "http://b", SHA256: "00", Size: 8, Tasks: 2},
				},
				Images: []planner.UsedImage{{Cluster: "local", Reference: "i", Tasks: 4}, {Cluster: "local", Reference: "j@sha256:0", Pinned: true, Tasks: 2}},
			},
		},
		"the declared size if no other size is known": {
			jobs: []*resolve.Job{newJob("x", needs("i", &resolve.Fetch{URL: "http://c", SizeMB: 3}))},
			want: planner.Inputs{
				Downloads: []planner.Download{{Cluster: "local", URL: "http://c", Size: 3 << 20, Tasks: 2}},
				Images:    []planner.UsedImage{{Cluster: "local", Reference: "i", Tasks: 2}},
			},
		},
		"no inputs for an unchanged job": {
			jobs: []*resolve.Job{newJob("x", needs("i", a))}, live: []*planner.LiveJob{newLive(newJob("x", needs("i", a)))},
			want: planner.Inputs{Downloads: []planner.Download{}, Images: []planner.UsedImage{}},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := planner.New(planner.Options{
				Workspace: "ws", Jobs: tt.jobs, Live: map[string]*planner.Snapshot{"local": {Jobs: tt.live}}, Downloads: known,
			})
			if diff := cmp.Diff(tt.want, p.Inputs); diff != "" {
				t.Errorf("inputs (-want +got):\n%s", diff)
			}
		})
	}
}
