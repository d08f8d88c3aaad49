// SPDX-License-Identifier: MPL-2.0

package view

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/planner"
)

func TestDriftIsNamedFieldByField(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		drift planner.Drift
		want  string
	}{
		"a number that another program changed": {planner.Drift{Object: "Framework x", Path: `spec.taskRoles["w"].taskNumber`, Kind: planner.DriftChanged, Before: 2.0, After: 3.0, Manager: "kubectl-edit"}, `changed: Framework x, spec.taskRoles["w"].taskNumber: 2 became 3 (by kubectl-edit)`},
		"an object that was removed":            {planner.Drift{Object: "Secret x-configcred", Kind: planner.DriftMissing}, "missing: Secret x-configcred"},
		"a value that was not sent":             {planner.Drift{Object: "Framework x", Path: "spec.a", Kind: planner.DriftForeign, After: "hunter2"}, "foreign: Framework x, spec.a"},
		"an object is not printed":              {planner.Drift{Object: "Framework x", Path: "spec.a", Kind: planner.DriftChanged, Before: map[string]any{"a": "b"}, After: "c"}, "changed: Framework x, spec.a"},
		"control characters of a manager":       {planner.Drift{Object: "Framework x", Kind: planner.DriftMissing, Manager: "a\x1b[31m"}, "missing: Framework x (by a"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := DriftText(tt.drift)
			if !strings.HasPrefix(got, tt.want) || strings.Contains(got, "\x1b") || strings.Contains(got, "hunter2") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPlanShowsDrift(t *testing.T) {
	t.Parallel()
	p := &planner.Plan{Workspace: "vision", Changes: []*planner.Change{{
		Address: "job.mnist", Cluster: "gpu", Action: planner.Update, Reason: planner.Reason{Code: planner.ReasonDrift},
		Drift: []planner.Drift{{Object: "Framework x", Path: "spec.description", Kind: planner.DriftChanged, Before: "a", After: "b"}},
	}}}
	var out bytes.Buffer
	if err := Text(&out, p, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if want := `changed: Framework x, spec.description: "a" became "b"`; !strings.Contains(out.String(), want) {
		t.Errorf("no %q in\n%s", want, out.String())
	}
	text, err := JSON(p, spelled)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Changes []struct{ Drift []Drift } }
	if err := json.Unmarshal(text, &got); err != nil || len(got.Changes[0].Drift) != 1 || string(*got.Changes[0].Drift[0].After) != `"b"` {
		t.Errorf("JSON %s %v", text, err)
	}
}
