// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestDriftIsOneWarningOfAJob(t *testing.T) {
	t.Parallel()
	drift := []planner.Drift{
		{Object: "Framework a", Path: "spec.taskNumber", Kind: planner.DriftChanged, Before: 1, After: 7},
		{Object: "ConfigMap a", Kind: planner.DriftMissing},
	}
	live := &planner.Snapshot{Jobs: []*planner.LiveJob{{Framework: "f", Drift: drift}}}
	for reason, want := range map[planner.ReasonCode]string{
		planner.ReasonDrift:        "job.a was changed outside of Terraform: Apply reverts this:\n  Framework a: spec.taskNumber was changed from 1 to 7\n  ConfigMap a is gone",
		planner.ReasonUnsupervised: "",
	} {
		p := &jobPlan{diags: &diag.Diagnostics{}}
		p.warnDrift(&planner.Change{Address: "job.a", Framework: "f", Drift: drift, Reason: planner.Reason{Code: reason}}, live)
		got := ""
		for _, d := range *p.diags {
			got += d.Summary() + ": " + d.Detail()
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", reason, diff)
		}
	}
}

func TestALineOfDriftIsParsed(t *testing.T) {
	t.Parallel()
	tests := map[string]planner.Drift{
		"a number":                     {Object: "Framework a", Path: "spec.taskNumber", Kind: planner.DriftChanged, Manager: "kubectl-edit", Before: json.Number("1"), After: json.Number("7")},
		"strings with words of a line": {Object: "Framework a", Path: "spec.x", Kind: planner.DriftChanged, Before: "is gone to by", After: `from "a" to b`},
		"a value that was not set":     {Object: "Framework a", Path: `metadata.labels["a: b"]`, Kind: planner.DriftChanged, Manager: "kubectl", After: true},
		"a list":                       {Object: "Service a", Path: "spec.ports", Kind: planner.DriftChanged, Manager: "kubectl", Before: []any{}, After: []any{}},
		"an object that was removed":   {Object: "ConfigMap a", Kind: planner.DriftMissing},
		"a field that was added":       {Object: "ConfigMap a", Path: "data.x", Kind: planner.DriftForeign, Manager: "kubectl"},
	}
	for name, want := range tests {
		got, ok := parseDriftLine(driftLine(want))
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("%s: %t (-want +got):\n%s", name, ok, diff)
		}
	}
	for _, line := range []string{"", "declared by openpai", sensitiveText, "x was changed from 1", "x was changed from 1 and 2", "x was changed from <"} {
		if d, ok := parseDriftLine(line); ok {
			t.Errorf("%q: %+v", line, d)
		}
	}
}

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
		"an object that was removed": {planner.Drift{Object: "ConfigMap a", Kind: planner.DriftMissing}, "ConfigMap a is gone"},
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
