// SPDX-License-Identifier: MPL-2.0

package operation_test

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// counter returns a renderer that counts calls by job name.
func counter(counts map[string]int) planner.Renderer {
	return func(job *resolve.Job, t render.Target) (*render.Manifest, hcl.Diagnostics) {
		counts[job.Name]++
		return render.Objects(job, t)
	}
}

// TestAnApplyRendersEachJobOnce checks new, replaced and updated jobs.
func TestAnApplyRendersEachJobOnce(t *testing.T) {
	t.Parallel()
	moved := newJob("updated", "ls")
	moved.Description = "other words"
	c := &fake{jobs: []*planner.LiveJob{live(newJob("replaced", "old")), live(newJob("updated", "ls")), live(newJob("kept", "ls"))}}
	counts := map[string]int{}
	o := newOperation(c, func(o *operation.Options) { o.Renderer = counter(counts) })
	p, err := o.Plan(t.Context(), operation.Request{Jobs: []*resolve.Job{newJob("created", "ls"), newJob("replaced", "new"), moved, newJob("kept", "ls")}})
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Apply(t.Context(), p, operation.ApplyOptions{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]int{"created": 1, "replaced": 1, "updated": 1}, counts); diff != "" {
		t.Errorf("renderings (-want +got):\n%s", diff)
	}
	planned, sent := map[string]*render.Manifest{}, map[string]*render.Manifest{}
	for _, change := range p.Changes {
		if change.Action != planner.NoOp {
			planned[change.Job.Name] = change.Manifest
		}
	}
	for _, s := range c.sent {
		sent[s.Job.Name] = s.Manifest
	}
	if !maps.Equal(planned, sent) || len(sent) != 3 {
		t.Errorf("sent %v, planned %v", sent, planned)
	}
}

func TestEqualInputIsRenderedOnce(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	o := newOperation(&fake{}, func(o *operation.Options) { o.Renderer = counter(counts) })
	for _, command := range []string{"ls", "ls", "date"} {
		if _, err := o.Plan(t.Context(), operation.Request{Jobs: []*resolve.Job{newJob("mnist", command)}}); err != nil {
			t.Fatal(err)
		}
	}
	if counts["mnist"] != 2 {
		t.Errorf("%d renderings of two declarations, want 2", counts["mnist"])
	}
}
