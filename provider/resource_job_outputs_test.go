// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestDriftShowsBothValues(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		drift planner.Drift
		want  string
	}{
		"a number": {planner.Drift{Object: "Framework a", Path: "spec.taskNumber", Kind: planner.DriftChanged, Manager: "kubectl", Before: 1, After: 7},
			"Framework a: spec.taskNumber was changed by kubectl from 1 to 7"},
		"a string": {planner.Drift{Object: "Framework a", Path: "spec.x", Kind: planner.DriftChanged, Before: "a<b", After: "c"},
			`Framework a: spec.x was changed from "a<b" to "c"`},
		"a list": {planner.Drift{Object: "Service a", Path: "spec.ports", Kind: planner.DriftChanged, Manager: "kubectl", Before: []any{1}, After: []any{2}},
			"Service a: spec.ports was changed by kubectl"},
		"an object that is gone": {planner.Drift{Object: "ConfigMap a", Kind: planner.DriftMissing}, "ConfigMap a is gone"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := driftLines(&planner.LiveJob{Drift: []planner.Drift{tt.drift}})
			if diff := cmp.Diff([]string{tt.want}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
