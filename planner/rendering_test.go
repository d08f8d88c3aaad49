// SPDX-License-Identifier: MPL-2.0

package planner_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// TestRenderingRecordsInstances checks that a diagnostic lists its instances,
// so that views show the diagnostic once.
func TestRenderingRecordsInstances(t *testing.T) {
	t.Parallel()
	var jobs []*resolve.Job
	for i := range 2 {
		jobs = append(jobs, instance(fmt.Sprint(i), withRole(func(r *resolve.TaskRole) { r.Secrets = []string{".."} })))
	}
	p := planner.New(planner.Options{
		Workspace: "ws", Jobs: jobs, Live: has(), RenderTargets: map[string]render.Target{"local": {RuntimeImage: "runtime"}},
	})
	var got []hclspec.Address
	for _, d := range p.Diagnostics {
		if _, named := hclspec.NamesInstance(d); !named {
			t.Errorf("%q does not name its job", d.Detail)
		}
		got = append(got, hclspec.Instances(d)...)
	}
	if diff := cmp.Diff([]hclspec.Address{`job.exp["0"]`, `job.exp["1"]`}, got); diff != "" {
		t.Errorf("instances (-want +got):\n%s", diff)
	}
}

// TestAMissingRuntimeImageIsReportedOnce expects one error per cluster. The
// error lists the jobs of the cluster.
func TestAMissingRuntimeImageIsReportedOnce(t *testing.T) {
	t.Parallel()
	jobs := []*resolve.Job{instance("0"), instance("1"), newJob("train")}
	p := planner.New(planner.Options{Workspace: "ws", Jobs: jobs, Live: has(), RenderTargets: map[string]render.Target{"local": {}}})
	if len(p.Diagnostics) != 1 {
		t.Fatalf("%d diagnostics: %v", len(p.Diagnostics), p.Diagnostics)
	}
	if diff := cmp.Diff([]hclspec.Address{`job.exp["0"]`, `job.exp["1"]`, "job.train"}, hclspec.Instances(p.Diagnostics[0])); diff != "" {
		t.Errorf("jobs (-want +got):\n%s", diff)
	}
}

func TestPlansWithoutObjectsHaveManifests(t *testing.T) {
	t.Parallel()
	for _, without := range []bool{false, true} {
		p := planner.New(planner.Options{
			Workspace: "ws", Jobs: []*resolve.Job{instance("a")}, Live: has(), WithoutObjects: without,
			RenderTargets: map[string]render.Target{"local": {Local: true}},
		})
		if c := p.Changes[0]; c.Manifest == nil || (len(c.Objects) == 0) != without {
			t.Errorf("without objects %t: manifest %t, objects %v", without, c.Manifest != nil, c.Objects)
		}
	}
}
