// SPDX-License-Identifier: MPL-2.0

package local

import (
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// TestHistoryOfPlansOutlivesTheJobs also checks that different workspaces do not
// share a history.
func TestHistoryOfPlansOutlivesTheJobs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	plan := cluster.AppliedPlan{Begun: now, Expires: now.Add(time.Hour), Finished: true}
	if plans, err := w.AppliedPlans(w.ctx, "team"); !plans.Empty() || err != nil || store.Exists(string(w.layout)) {
		t.Errorf("before: %v, %v", plans, err)
	}
	if err := w.KeepPlan(w.ctx, "team", "a", plan); err != nil {
		t.Fatal(err)
	}
	if err := w.CleanUp(w.ctx, planner.DeclaredByCommandLine); err != nil {
		t.Fatal(err)
	}
	for workspace, want := range map[string]cluster.AppliedPlans{"team": {Plans: map[string]cluster.AppliedPlan{"a": plan}}, "other": {}} {
		got, err := w.AppliedPlans(w.ctx, workspace)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", workspace, err, diff)
		}
	}
}

// TestForgottenHistoryOfPlansHasAnotherIncarnation covers a history that
// contained a plan. If the history never contained a plan, ForgetPlans must
// not create a file.
func TestForgottenHistoryOfPlansHasAnotherIncarnation(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	forget := func(incarnation string) {
		t.Helper()
		if err := w.ForgetPlans(w.ctx, "team", incarnation); err != nil {
			t.Fatal(err)
		}
	}
	forget("1")
	if store.Exists(w.layout.PlansFile("team")) {
		t.Error("an empty history created a file")
	}
	if err := w.KeepPlan(w.ctx, "team", "a", cluster.AppliedPlan{}); err != nil {
		t.Fatal(err)
	}
	for _, incarnation := range []string{"2", "3"} {
		forget(incarnation)
		got, err := w.AppliedPlans(w.ctx, "team")
		if diff := cmp.Diff(cluster.AppliedPlans{Incarnation: incarnation}, got); diff != "" || err != nil {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
}

// If a damaged history were ignored, a plan could be applied twice.
func TestDamagedHistoryOfPlansIsAnError(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := w.KeepPlan(w.ctx, "team", "a", cluster.AppliedPlan{}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(w.layout.PlansFile("team"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AppliedPlans(w.ctx, "team"); err == nil {
		t.Error("no error")
	}
	if err := w.KeepPlan(w.ctx, "team", "b", cluster.AppliedPlan{}); err == nil {
		t.Error("it was overwritten")
	}
	if err := w.ForgetPlans(w.ctx, "team", "new"); err != nil {
		t.Error(err)
	}
	if got, err := w.AppliedPlans(w.ctx, "team"); got.Incarnation != "new" || err != nil {
		t.Errorf("after the removal: %v, %v", got, err)
	}
}
