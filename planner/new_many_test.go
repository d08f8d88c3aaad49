// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// BenchmarkNew measures the planning of 1000 jobs that already run as
// declared.
func BenchmarkNew(b *testing.B) {
	var jobs []*resolve.Job
	var live []*planner.LiveJob
	for i := range 1000 {
		job := wholeJob()
		job.Address, job.Framework = hclspec.NewAddress("job", fmt.Sprintf("j%d", i)), fmt.Sprint(i)
		jobs, live = append(jobs, job), append(live, newLive(job))
	}
	for b.Loop() {
		if p := planner.New(planner.Options{Workspace: "ws", Jobs: jobs, Live: has(live...)}); !p.Empty() {
			b.Fatal("the plan is not empty")
		}
	}
}

func TestDiagnosticsOfSeveralClustersHaveOneOrder(t *testing.T) {
	t.Parallel()
	kept := func(label string) *planner.Snapshot {
		job := newJob(label, func(j *resolve.Job) { j.PreventDestroy = true })
		return &planner.Snapshot{Jobs: []*planner.LiveJob{newLive(job)}}
	}
	live := map[string]*planner.Snapshot{}
	var want []string
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		live[name] = kept(name)
		want = append(want, "job."+name)
	}
	for range 10 { // map order varies
		var got []string
		for _, d := range planner.New(planner.Options{Workspace: "ws", Live: live}).Diagnostics {
			got = append(got, strings.Fields(strings.TrimPrefix(d.Detail, "The plan deletes "))[0])
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
	}
}
