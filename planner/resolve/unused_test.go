// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestUnusedPrerequisitesAreCheckedToo(t *testing.T) {
	t.Parallel()
	odd := script("odd", "gone", "marketplace://name/later")
	odd.Plugin, odd.Callbacks[0].Event = "nope", "taskBegins"
	passes := script("passes")
	passes.TemplateVariables = []*hclspec.TemplateVariable{{Name: "v"}}
	passes.Require = []hclspec.Reference{{Target: "takes", With: map[string]any{"w": "{{ v }}"}, Path: passes.Path}}
	passes.Callbacks[0].Commands = []string{"<% $data.uri %> <% $parameters.p %>"}
	takes := script("takes")
	takes.TemplateVariables = []*hclspec.TemplateVariable{{Name: "w", Pattern: "[0-9]+"}}
	for name, c := range map[string]struct {
		prerequisites []*hclspec.Prerequisite
		want          string
	}{
		"references, plugins and events": {[]*hclspec.Prerequisite{odd},
			`unknown-prerequisite 1: prerequisite.script.odd refers to the prerequisite "gone", which is not declared in the workspace.` + "\n" +
				`unknown-plugin 1: prerequisite.script.odd uses the unknown plugin "nope"; valid plugins are "cmd", "docker", "git", "pvc_storage", "rest.storage", "ssh", "teamwise_storage", "tensorboard".` + "\n" +
				`unknown-event 1: prerequisite.script.odd has a callback for the unknown event "taskBegins"; valid events are "taskStarts", "taskSucceeds", "taskFails", "taskExits". Did you mean "taskExits"?`},
		"cycles": {[]*hclspec.Prerequisite{script("a", "b"), script("b", "a")},
			"prerequisite-cycle 1: The requirements of these prerequisites form a cycle:\n" +
				"  prerequisite.script.a requires prerequisite.script.b (main.pai.hcl:1)\n" +
				"  prerequisite.script.b requires prerequisite.script.a (main.pai.hcl:2)"},
		"values that only references set do not cause a diagnostic": {[]*hclspec.Prerequisite{passes, takes}, ""},
		"a required value that is not set": {[]*hclspec.Prerequisite{script("a", "takes"), takes},
			`missing-template-variable 1: prerequisite.script.a refers to prerequisite.script.takes without a value for its template variable "w", which has no default.`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := All(Input{Workspace: workspace(c.prerequisites, jobOf())})
			if diff := cmp.Diff(c.want, strings.TrimSpace(diagnostics(diags))); diff != "" {
				t.Errorf("workspace (-want +got)\n%s", diff)
			}
			own := jobOf(func(j *hclspec.Job, _ *hclspec.TaskRole) { j.Prerequisites = c.prerequisites })
			_, diags = All(Input{Workspace: workspace(nil, own)})
			if (len(diags) > 0) != (c.want != "") {
				t.Errorf("in a job:\n%s", diagnostics(diags))
			}
		})
	}
}

func TestAPrerequisiteOfAnotherJobIsNotUnused(t *testing.T) {
	t.Parallel()
	second := jobOf(uses("b"))
	second.Label, second.Name, second.Path = "k", "k", "job.k"
	_, diags := All(Input{Workspace: workspace([]*hclspec.Prerequisite{script("a", "gone"), script("b", "a")}, jobOf(), second)})
	want := `unknown-prerequisite 1: prerequisite.script.a refers to the prerequisite "gone", which is not declared in the workspace. Require chain: task role "worker" -> prerequisite.script.b -> prerequisite.script.a.`
	if diff := cmp.Diff(want, strings.TrimSpace(diagnostics(diags))); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
