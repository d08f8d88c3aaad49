// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// TestTextOfItemsAndTemplatesNamesSecretsOfTheModule checks which secrets are
// available to items and templates. The job is in a module. The module declares
// the secret "own", and the root declares the secret "token".
func TestTextOfItemsAndTemplatesNamesSecretsOfTheModule(t *testing.T) {
	t.Parallel()
	const module, given = "module.m", "<% $secrets.token %>"
	for sentence, c := range map[string]struct {
		command, value string
		item           bool
		want           string
	}{
		"an item refers to a secret of the root":        {"<% $secrets.token %>", "x", true, ""},
		"an item refers to a secret of the module":      {"<% $secrets.own %>", "x", true, "<% $secrets.own %>"},
		"a value passes a secret to an item":            {"{{ v }}", given, true, given},
		"a value completes the name of a root secret":   {"<% $secrets.{{ v }} %>", "token", false, ""},
		"a value completes the name of a module secret": {"<% $secrets.{{ v }} %>", "own", false, "<% $secrets.own %>"},
		"a value completes a tag":                       {"<{{ v }}% $secrets.token %>", "", false, ""},
		"the caller passed the secret to the module":    {given + " {{ v }}", "x", false, given + " x"},
		"a value passes a secret to a prerequisite":     {"{{ v }}", given, false, given},
	} {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			p := script("p")
			p.Callbacks = []*hclspec.Callback{{Event: "taskStarts", Commands: []string{"echo " + c.command}}}
			p.TemplateVariables = []*hclspec.TemplateVariable{{Name: "v"}}
			target, declared := "marketplace://name/p", []*hclspec.Prerequisite{}
			items := shelf{target: {Definition: p}}
			if !c.item {
				p.Module = module
				target, declared = p.Address().String(), []*hclspec.Prerequisite{p}
			}
			job := jobOf(usesWith(target, map[string]any{"v": c.value}))
			job.Module, job.Syntax = module, hclspec.SyntaxHCL
			ws := workspace(declared, job)
			ws.Secrets = []*hclspec.Secret{{Name: "token"}, {Name: "own", Module: module}}
			jobs, diags := All(Input{Workspace: ws, Items: items})
			if c.want == "" {
				want := "refers to `<% $secrets.token %>`, but module.m declares no such secret. To use the root module's secret \"token\", pass it in a variable."
				if got := diagnostics(diags); !strings.Contains(got, "unknown-secret") || !strings.Contains(got, want) {
					t.Errorf("diagnostics: %s", got)
				}
				return
			}
			if diags.HasErrors() {
				t.Fatal(diagnostics(diags))
			}
			commands := jobs[0].TaskRoles[0].Steps[0].Callbacks[0].Commands
			if diff := cmp.Diff([]string{"echo " + c.want}, commands); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if p.Callbacks[0].Commands[0] != "echo "+c.command {
				t.Error("the declaration was changed")
			}
		})
	}
}
