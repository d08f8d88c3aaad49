// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// terraformPlan returns a JSON plan with one resource change. The given parts
// override parts of this change.
func terraformPlan(t testing.TB, change tree, about ...tree) string {
	t.Helper()
	resource := tree{"address": "openpai_job.a", "mode": "managed", "type": "openpai_job", "name": "a", "change": change}
	for _, more := range about {
		for key, v := range more {
			resource[key] = v
		}
	}
	text, err := json.Marshal(tree{"format_version": "1.2", "planned_values": tree{}, "resource_changes": []any{resource}})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ran returns a running job as it appears in a plan.
func ran(more ...tree) tree {
	all := tree{
		"name": "a", "state": "RUNNING", "outdated": false, "drift": []any{}, "secret_versions": tree{"TOKEN": "hmac:1"},
		"environment": tree{"MODE": "test"},
		"task_roles": tree{"worker": tree{
			"instances": 2, "image": "ubuntu:22.04", "commands": []any{"echo <% $secrets.TOKEN %>"}, "resources": tree{"gpu": 1, "cpu": 1, "memory_mb": 64},
		}},
	}
	for _, m := range more {
		for key, v := range m {
			all[key] = v
		}
	}
	return all
}

func readPlan(t testing.TB, text string) *planner.Plan {
	t.Helper()
	p, err := ReadPlan(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// summed is the part of a change that a test compares.
type summed struct {
	Action planner.Action
	Reason planner.ReasonCode
	Impact string
	Fields []string
}

func TestActionsOfTerraformHaveReasons(t *testing.T) {
	t.Parallel()
	replace, update, noOp := []any{"delete", "create"}, []any{"update"}, []any{"no-op"}
	fast := ran(tree{"environment": tree{"MODE": "fast"}})
	ended := tree{"state": "SUCCEEDED"}
	mode := []string{`task_role["worker"].environment["MODE"]`}
	tests := map[string]struct {
		change, about tree
		want          summed
	}{
		"a create":                 {tree{"actions": []any{"create"}, "after": ran()}, nil, summed{planner.Create, planner.ReasonAbsent, "", nil}},
		"an end":                   {tree{"actions": []any{"delete"}, "before": ran()}, tree{"action_reason": "delete_because_no_resource_config"}, summed{planner.Delete, planner.ReasonNotDeclared, "up to 2 running tasks end", nil}},
		"a destroy":                {tree{"actions": []any{"delete"}, "before": ran(ended)}, nil, summed{planner.Delete, planner.ReasonDestroy, "", nil}},
		"another declaration":      {tree{"actions": replace, "before": ran(), "after": fast}, nil, summed{planner.Replace, planner.ReasonContent, "up to 2 running tasks end", mode}},
		"a tainted job":            {tree{"actions": replace, "before": ran(), "after": ran()}, tree{"action_reason": "replace_because_tainted"}, summed{planner.Replace, planner.ReasonTainted, "up to 2 running tasks end", nil}},
		"-replace":                 {tree{"actions": []any{"create", "delete"}, "before": ran(ended), "after": ran()}, tree{"action_reason": "replace_by_request"}, summed{planner.Replace, planner.ReasonRequested, "", nil}},
		"replace_triggered_by":     {tree{"actions": replace, "before": ran(ended), "after": ran()}, tree{"action_reason": "replace_by_triggers"}, summed{planner.Replace, planner.ReasonTriggered, "", nil}},
		"a description":            {tree{"actions": update, "before": ran(), "after": ran(tree{"description": "x"})}, nil, summed{planner.Update, planner.ReasonInPlace, "", []string{"description"}}},
		"drift":                    {tree{"actions": update, "before": ran(tree{"drift": []any{"spec"}}), "after": ran()}, nil, summed{planner.Update, planner.ReasonDrift, "", nil}},
		"a moved job":              {tree{"actions": update, "before": ran(), "after": ran()}, tree{"previous_address": "openpai_job.old"}, summed{planner.Update, planner.ReasonMoved, "", nil}},
		"wait_for":                 {tree{"actions": update, "before": ran(), "after": ran(tree{"wait_for": "running"})}, nil, summed{planner.Update, planner.ReasonSetting, "", nil}},
		"a removed block":          {tree{"actions": []any{"forget"}, "before": ran()}, nil, summed{planner.NoOp, planner.ReasonForgotten, "", nil}},
		"a job that runs":          {tree{"actions": noOp, "before": ran(), "after": ran()}, nil, summed{planner.NoOp, planner.ReasonUpToDate, "", nil}},
		"a job that ended":         {tree{"actions": noOp, "before": ran(ended), "after": ran(ended)}, nil, summed{planner.NoOp, planner.ReasonFinished, "", nil}},
		"an outdated job":          {tree{"actions": update, "before": ran(ended), "after": ran(ended, tree{"outdated": true, "environment": tree{"MODE": "fast"}})}, nil, summed{planner.NoOp, planner.ReasonOutdated, "", mode}},
		"another secret":           {tree{"actions": replace, "before": ran(), "after": ran(tree{"secret_versions": tree{"TOKEN": "hmac:2"}})}, nil, summed{planner.Replace, planner.ReasonContent, "up to 2 running tasks end", nil}},
		"what cannot be compared":  {tree{"actions": replace, "before": ran(), "after": ran(), "replace_paths": []any{[]any{"task_roles", "worker"}, []any{"task_roles"}, []any{"x"}}}, nil, summed{planner.Replace, planner.ReasonContent, "up to 2 running tasks end", []string{"task_roles"}}},
		"an unknown action":        {tree{"actions": []any{"levitate"}, "before": ran(), "after": ran()}, nil, summed{planner.NoOp, planner.ReasonUpToDate, "", nil}},
		"attributes of no version": {tree{"actions": replace, "before": ran(tree{"task_roles": "x", "environment": []any{1}, "state": 1}), "after": ran(tree{"shape": "round"})}, nil, summed{Action: planner.Replace, Reason: planner.ReasonContent}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := readPlan(t, terraformPlan(t, tt.change, tt.about)).Changes[0]
			got := summed{Action: c.Action, Reason: c.Reason.Code, Impact: view.Impact(c.Impact)}
			for _, f := range c.Fields {
				got.Fields = append(got.Fields, string(f.Path))
			}
			if name == "attributes of no version" {
				got.Fields = nil
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDriftHasBothValues(t *testing.T) {
	t.Parallel()
	drifted := ran(tree{"drift": []any{"declared by openpai", "Framework x: spec.taskNumber was changed by kubectl from 1 to 7", "ConfigMap x is gone"}})
	var text strings.Builder
	p := readPlan(t, terraformPlan(t, tree{"actions": []any{"update"}, "before": drifted, "after": ran()}))
	if err := view.Text(&text, p, view.TextOptions{Phrase: phrase}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"changed: Framework x, spec.taskNumber: 1 became 7 (by kubectl)\n", "missing: ConfigMap x\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in:\n%s", want, text.String())
		}
	}
}

func TestADefaultOfTheProviderBlockIsNoChange(t *testing.T) {
	t.Parallel()
	text := terraformPlan(t, tree{"actions": []any{"update"}, "before": ran(), "after": ran(tree{"max_run_time": "2h"})})
	for limit, want := range map[string]int{"2h": 0, "3h": 1} {
		block := `{"provider_config":{"openpai":{"name":"openpai","expressions":{"kubernetes":{"max_run_time":{"constant_value":"` + limit + `"}}}}}}`
		p := readPlan(t, strings.Replace(text, `{`, `{"configuration":`+block+`,`, 1))
		if n := len(p.Changes[0].Fields); n != want {
			t.Errorf("with %s of the provider block: %d changes: %+v", limit, n, p.Changes[0].Fields)
		}
	}
}

func TestSensitiveAndUnknownValuesAreNotShown(t *testing.T) {
	t.Parallel()
	secret := func(text string) tree { return tree{"environment": tree{"KEY": text}} }
	role := func(more tree) tree {
		worker := tree{"instances": 7, "image": "ubuntu:22.04", "commands": []any{"true"}, "resources": tree{"gpu": 1, "cpu": 1, "memory_mb": 64}}
		for key, v := range more {
			worker[key] = v
		}
		return tree{"task_roles": tree{"worker": worker}}
	}
	inRole := func(marks tree) tree { return tree{"task_roles": tree{"worker": marks}} }
	tests := map[string]struct {
		before, after, marks, unknown tree
		want, not                     []string
	}{
		"a value": {secret("hunter2"), secret("hunter2 again"), tree{"environment": tree{"KEY": true}}, nil,
			[]string{`environment["KEY"]: "(sensitive value)" -> "(sensitive value, changed)"`}, nil},
		"a map with its keys": {secret("hunter2"), secret("hunter2 again"), tree{"environment": true}, nil, []string{`environment: "(sensitive value)" -> "(sensitive value, changed)"`}, []string{"KEY"}},
		"the same map":        {secret("hunter2"), secret("hunter2"), tree{"environment": true}, nil, nil, []string{"environment"}},
		"the whole resource":  {secret("hunter2"), secret("hunter2 again"), nil, nil, []string{"openpai_job.a: replace"}, []string{"KEY", "ubuntu"}},
		"a number":            {role(nil), role(tree{"instances": 9}), inRole(tree{"instances": true}), nil, []string{`instances: "(sensitive value)" -> "(sensitive value, changed)"`}, []string{"7", "9"}},
		"an unknown text":     {secret("was"), tree{"environment": tree{"OTHER": "hunter2"}}, tree{"environment": tree{"OTHER": true}}, tree{"environment": tree{"KEY": true}}, []string{`environment["KEY"]: "was" -> (known after apply)`}, nil},
		"an unknown map":      {secret("was"), tree{"environment": nil}, tree{}, tree{"environment": true}, []string{`environment: {"KEY":"was"} -> (known after apply)`}, nil},
		"a value of any type": {role(nil), tree{"prerequisites": []any{tree{"name": "p", "type": "script", "callbacks": []any{tree{"event": "taskStarts", "commands": []any{"hunter2"}}}}}},
			tree{"prerequisites": true}, nil, []string{"openpai_job.a: replace"}, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var marks any = tt.marks
			if tt.marks == nil {
				marks = true
			}
			p := readPlan(t, terraformPlan(t, tree{
				"actions": []any{"delete", "create"}, "before": ran(tt.before), "after": ran(tt.after), "after_unknown": tt.unknown,
				"before_sensitive": marks, "after_sensitive": marks, // Terraform marks both sides
			}))
			var text, markdown strings.Builder
			if err := view.Text(&text, p, view.TextOptions{Phrase: phrase, Detail: true}); err != nil {
				t.Fatal(err)
			}
			if err := view.Markdown(&markdown, p, view.MarkdownOptions{Phrase: phrase}); err != nil {
				t.Fatal(err)
			}
			asJSON, err := view.JSON(p, phrase)
			if err != nil {
				t.Fatal(err)
			}
			for _, secret := range append(tt.not, "hunter2") {
				shown, _, _ := strings.Cut(text.String(), "Resources of jobs")
				if strings.Contains(shown, secret) || secret == "hunter2" && strings.Contains(markdown.String()+string(asJSON), secret) {
					t.Errorf("it shows %q:\n%s", secret, text.String())
				}
			}
			for _, want := range tt.want {
				if !strings.Contains(text.String(), want) {
					t.Errorf("no %q in:\n%s", want, text.String())
				}
			}
		})
	}
}

func TestOtherResourcesAreCounted(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		about, change tree
		want          string
	}{
		"data that is deleted":    {tree{"type": "openpai_storage"}, tree{"actions": []any{"delete"}, "before": tree{"name": "a", "on_destroy": "delete"}}, "  - openpai_job.a: delete\n    ! its data is deleted"},
		"a claim that stays":      {tree{"type": "openpai_storage"}, tree{"actions": []any{"delete"}, "before": tree{"name": "a", "on_destroy": "delete", "claim": "c"}}, "  - openpai_job.a: delete\n\n"},
		"a prerequisite":          {tree{"type": "openpai_prerequisite"}, tree{"actions": []any{"update"}}, "Also prerequisites and items: 1 to change."},
		"another provider":        {tree{"type": "null_resource"}, tree{"actions": []any{"create", "delete"}}, "Also resources of other providers: 1 to replace."},
		"a data source":           {tree{"type": "openpai_job", "mode": "data"}, tree{"actions": []any{"read"}}, "No changes of jobs."},
		"a deposed object":        {tree{"deposed": "1f"}, tree{"actions": []any{"delete"}, "before": ran()}, "openpai_job.a (deposed object 1f): delete"},
		"what does not change":    {tree{"type": "null_resource"}, tree{"actions": []any{"no-op"}}, "Plan of a Terraform run\n\nNo changes of jobs."},
		"control in an address":   {tree{"address": "openpai_job.\x1b[2J"}, tree{"actions": []any{"create"}, "after": ran()}, `openpai_job.\x1b[2J: create`},
		"a job of another schema": {nil, tree{"actions": []any{"delete"}, "before": []any{1}}, "openpai_job.a: delete"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var text strings.Builder
			if err := view.Text(&text, readPlan(t, terraformPlan(t, tt.change, tt.about)), view.TextOptions{Phrase: phrase}); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(text.String(), tt.want) {
				t.Errorf("no %q in:\n%s", tt.want, text.String())
			}
		})
	}
}

// FuzzReadPlan checks that ReadPlan returns either an error or a plan that
// can be shown.
func FuzzReadPlan(f *testing.F) {
	f.Add([]byte(terraformPlan(f, tree{"actions": []any{"delete", "create"}, "before": ran(), "after": ran(tree{"secrets": tree{"a": tree{}}}), "after_sensitive": tree{"environment": true}})))
	f.Add([]byte(terraformPlan(f, tree{"actions": []any{"create"}, "after": ran(tree{"prerequisites": []any{hashed, flat, json.Number("1e999999999")}}), "after_unknown": tree{"task_roles": true}})))
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := ReadPlan(strings.NewReader(string(text)))
		if err != nil {
			return
		}
		var out strings.Builder
		if err := view.Text(&out, p, view.TextOptions{Phrase: phrase}); err != nil {
			t.Error(err)
		}
		if _, err := view.JSON(p, phrase); err != nil {
			t.Error(err)
		}
	})
}
