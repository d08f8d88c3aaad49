// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"sync"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/openpai/terraform-provider-openpai/planner/render"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// rendered starts a provider. count returns the number of times that the
// provider rendered a job.
func rendered(t *testing.T, dir string) (tf *terraform, count func() int) {
	t.Helper()
	var mu sync.Mutex
	n := 0
	p := newProvider("test")
	p.renderer = func(job *resolve.Job, target render.Target) (*render.Manifest, hcl.Diagnostics) {
		mu.Lock()
		defer mu.Unlock()
		n++
		return render.Objects(job, target)
	}
	tf = serve(t, p, tree{"local": tree{"directory": dir, "user": "alice"}})
	tf.dir = dir
	return tf, func() int { mu.Lock(); defer mu.Unlock(); return n }
}

// TestEachProcessRendersAJobOnce uses two processes, like Terraform. The first
// process plans; the second plans again and applies.
func TestEachProcessRendersAJobOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	t.Cleanup(func() { removeAll(t, dir) })
	config := job([]string{"true"}, tree{"wait_for": "completed", "environment": tree{"A": "1"}})

	planning, planned := rendered(t, dir)
	i := planning.resource("openpai_job")
	value := planning.value(config, i.typ)
	request := &tfprotov6.PlanResourceChangeRequest{
		TypeName: i.name, PriorState: planning.encode(i.null()), ProposedNewState: planning.encode(i.proposed(value, i.null())), Config: planning.encode(value),
	}
	if _, err := planning.server.PlanResourceChange(t.Context(), request); err != nil || planned() != 1 {
		t.Fatalf("the plan renders %d times: %v", planned(), err)
	}

	applying, applied := rendered(t, dir)
	plan, err := applying.server.PlanResourceChange(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := applying.server.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: i.name, PriorState: request.PriorState, PlannedState: plan.PlannedState, Config: request.Config, PlannedPrivate: plan.PlannedPrivate, PlannedIdentity: plan.PlannedIdentity,
	})
	if err != nil || unexpected(diagnosticsText(resp.Diagnostics)) != "" {
		t.Fatal(err, diagnosticsText(resp.Diagnostics))
	}
	if applied() != 1 {
		t.Errorf("the apply renders %d times", applied())
	}
}
