// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// mnist returns a data prerequisite with template variables.
func mnist() *hclspec.Prerequisite {
	level := "3"
	p := prerequisite("data", "mnist")
	p.TemplateVariables = []*hclspec.TemplateVariable{
		{Name: "dataPath", Description: "where the data goes", Pattern: "/.*", Path: p.Path.Attr("template_variables").Index(0)},
		{Name: "level", Default: &level},
	}
	p.URI = []string{"http://host/{{ dataPath }}"}
	p.Callbacks[0].Commands = []string{"mkdir -p {{ dataPath }}", "echo {{level}} {{ .Names }} {{FC_TASK_INDEX}}"}
	p.Parameters = map[string]any{"list": []any{"{{ dataPath }}", map[string]any{"deep": "{{ level }}", "n": hclspec.Number("1")}}}
	p.Environment = map[string]string{"DIR": "{{ dataPath }}"}
	p.Fetch = []*hclspec.Fetch{{URL: "{{ dataPath }}.zip", To: "{{ dataPath }}"}}
	return p
}

func TestTemplateVariablesAreFilledInTheDefinition(t *testing.T) {
	t.Parallel()
	plain := script("plain")
	plain.Callbacks[0].Commands = []string{"docker ps --format '{{ dataPath }}'"}
	job := resolveOne(t, workspace([]*hclspec.Prerequisite{mnist(), plain}, jobOf(usesWith("mnist", map[string]any{"dataPath": "/a"}), uses("plain"))))
	got := job.TaskRoles[0].Steps
	want := []*Step{
		{
			Address: `prerequisite.data.mnist{dataPath="/a",level="3"}`, Name: "mnist", Type: "data", Plugin: "cmd", FailurePolicy: "fail",
			Callbacks:   []*Callback{{Event: "taskStarts", Commands: []string{"mkdir -p /a", "echo 3 {{ .Names }} {{FC_TASK_INDEX}}"}, FailurePolicy: "fail"}},
			Fetch:       []*Fetch{{URL: "/a.zip", To: "/a"}},
			Environment: map[string]string{"DIR": "/a"},
			Parameters:  map[string]any{"list": []any{"/a", map[string]any{"deep": "3", "n": hclspec.Number("1")}}},
			With:        map[string]string{"dataPath": "/a", "level": "3"}, URI: []string{"http://host//a"},
		},
		{
			Address: "prerequisite.script.plain", Name: "plain", Type: "script", Plugin: "cmd", FailurePolicy: "fail",
			Callbacks: []*Callback{{Event: "taskStarts", Commands: []string{"docker ps --format '{{ dataPath }}'"}, FailurePolicy: "fail"}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestOneItemWithDifferentValuesIsTwoInstances(t *testing.T) {
	t.Parallel()
	ws := workspace([]*hclspec.Prerequisite{mnist()}, jobOf(
		usesWith("mnist", map[string]any{"dataPath": "/a"}),
		usesWith("mnist", map[string]any{"dataPath": "/b"}),
		usesWith("mnist", map[string]any{"dataPath": "/a", "level": hclspec.Number("3")}),
	))
	want := []string{`prerequisite.data.mnist{dataPath="/a",level="3"}`, `prerequisite.data.mnist{dataPath="/b",level="3"}`}
	if diff := cmp.Diff(want, addresses(resolveOne(t, ws).TaskRoles[0].Steps)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestValuesMayReferToParametersAndSecrets(t *testing.T) {
	t.Parallel()
	outer := script("outer")
	outer.Parameters = map[string]any{"root": "/r"}
	outer.Require = []hclspec.Reference{{Target: "mnist", With: map[string]any{"dataPath": "<% this.root %>/<% $parameters.p %>", "level": "<% $secrets.s %>"}, Path: outer.Path}}
	ws := workspace([]*hclspec.Prerequisite{mnist(), outer}, jobOf(uses("outer"), parameters(map[string]any{"p": "<% x"})))
	ws.Secrets = []*hclspec.Secret{{Name: "s"}}
	role := resolveOne(t, ws).TaskRoles[0]
	want := []string{"mkdir -p /r/<%% x", "echo <% $secrets.s %> {{ .Names }} {{FC_TASK_INDEX}}"}
	if diff := cmp.Diff(want, role.Steps[0].Callbacks[0].Commands); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"s"}, role.Secrets); diff != "" {
		t.Errorf("secrets (-want +got)\n%s", diff)
	}
}

func withTimeout(timeout string) *hclspec.Prerequisite {
	p := mnist()
	p.Callbacks[0].Timeout = timeout
	return p
}

func TestInvalidTemplateVariablesAreErrors(t *testing.T) {
	t.Parallel()
	broken := mnist()
	broken.TemplateVariables[0].Pattern = "("
	for name, c := range map[string]struct {
		p    *hclspec.Prerequisite
		with map[string]any
		want string
	}{
		"a variable without a default is not set": {
			mnist(), nil,
			`missing-template-variable 101: Task role "worker" refers to prerequisite.data.mnist without a value for its template variable "dataPath" ("where the data goes"), which has no default.`},
		"a variable without a default is misspelled": {
			mnist(), map[string]any{"datPath": "/a"},
			`unknown-template-variable 101: Task role "worker" sets "datPath", but prerequisite.data.mnist declares "dataPath", "level". Did you mean "dataPath"?`},
		"a timeout has no value": {
			withTimeout("{{ dataPath }}m"), nil,
			`missing-template-variable 101: Task role "worker" refers to prerequisite.data.mnist without a value for its template variable "dataPath" ("where the data goes"), which has no default.`},
		"a variable that is not declared": {
			mnist(), map[string]any{"dataPath": "/a", "leve": "1"},
			`unknown-template-variable 101: Task role "worker" sets "leve", but prerequisite.data.mnist declares "dataPath", "level". Did you mean "level"?`},
		"a value that does not match": {
			mnist(), map[string]any{"dataPath": "a"},
			`invalid-template-value 101: Task role "worker" sets "a" for the template variable "dataPath" of prerequisite.data.mnist, but the value must match the pattern /.*.`},
		"a list": {
			mnist(), map[string]any{"dataPath": []any{"/a"}},
			`invalid-template-value 101: Task role "worker" sets a list for the template variable "dataPath" of prerequisite.data.mnist, but the value must be a string, number or bool.`},
		"a pattern that is not valid": {
			broken, map[string]any{"dataPath": "/a"},
			`invalid-template-pattern 1: The pattern "(" of the template variable "dataPath" of prerequisite.data.mnist is not a valid regular expression.`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := All(Input{Workspace: workspace([]*hclspec.Prerequisite{c.p}, jobOf(usesWith("mnist", c.with)))})
			if diff := cmp.Diff(c.want, strings.TrimSpace(diagnostics(diags))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// shelf is an in-memory marketplace.
type shelf map[string]*Item

func (s shelf) Item(ref string) (*Item, error) {
	if item, ok := s[ref]; ok {
		return item, nil
	}
	return nil, errors.New("the team marketplace has no such item")
}

func TestAnItemRequiresItemsOfItsOwnMarketplace(t *testing.T) {
	t.Parallel()
	wget := &Item{Definition: script("wget"), Address: "marketplace://team/wget", Used: UsedItem{Marketplace: "team", Version: "1.2"}}
	data := mnist()
	data.Require = []hclspec.Reference{{Target: "wget"}, {Target: "marketplace://script/wget"}}
	items := shelf{
		"marketplace://name/mnist":  {Definition: data, Address: "marketplace://team/mnist", Used: UsedItem{Version: "1.2"}, Siblings: map[string]string{"wget": "marketplace://name/wget"}},
		"marketplace://name/wget":   wget,
		"marketplace://script/wget": wget,
	}
	ws := workspace([]*hclspec.Prerequisite{script("wget")}, jobOf(usesWith("marketplace://name/mnist", map[string]any{"dataPath": "/a"}), uses("wget")))
	jobs, diags := All(Input{Workspace: ws, Items: items})
	if len(diags) > 0 {
		t.Fatal(diagnostics(diags))
	}
	steps := jobs[0].TaskRoles[0].Steps
	want := []string{"marketplace://team/wget", `marketplace://team/mnist{dataPath="/a",level="3"}`, "prerequisite.script.wget"}
	if diff := cmp.Diff(want, addresses(steps)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if steps[0].Source != "marketplace team, version 1.2" || steps[2].Source != "" {
		t.Errorf("sources %q and %q", steps[0].Source, steps[2].Source)
	}
	_, diags = All(Input{Workspace: workspace(nil, jobOf(uses("marketplace://name/gone"))), Items: items})
	wantDiagnostic := `item-unavailable 101: Task role "worker" refers to marketplace://name/gone: the team marketplace has no such item.`
	if diff := cmp.Diff(wantDiagnostic, strings.TrimSpace(diagnostics(diags))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
