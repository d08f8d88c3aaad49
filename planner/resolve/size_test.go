// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// branching returns prerequisites that each require the next prerequisite
// twice, with different values. They create 2^length instances.
func branching(length int) []*hclspec.Prerequisite {
	var all []*hclspec.Prerequisite
	for n := range length {
		p := prerequisite("data", fmt.Sprint("b", n))
		p.TemplateVariables = []*hclspec.TemplateVariable{{Name: "p"}}
		for branch := range 2 {
			next := hclspec.Reference{Target: fmt.Sprint("b", n+1), With: map[string]any{"p": fmt.Sprint("{{ p }}", branch)}}
			if n+1 < length {
				p.Require = append(p.Require, next)
			}
		}
		all = append(all, p)
	}
	return all
}

func TestInstancesThatMultiplyAreRefused(t *testing.T) {
	t.Parallel()
	const most = 20_000
	jobs, diags := All(Input{Workspace: workspace(branching(16), jobOf(usesWith("b0", map[string]any{"p": "x"})))})
	if got := diagnostics(diags); !strings.Contains(got, "result-too-large") {
		t.Errorf("diagnostics: %q, want result-too-large", got)
	}
	if got := len(jobs[0].TaskRoles[0].Steps); got > most {
		t.Errorf("%d steps, want at most %d", got, most)
	}
}

// Without a limit, small files could produce strings that exceed the
// available memory.
func TestTextsThatGrowWithoutBoundAreRefused(t *testing.T) {
	t.Parallel()
	long := parameters(map[string]any{"long": strings.Repeat("x", 400_000)})
	const reference = "<% $parameters.long %>"
	doubling := []*hclspec.Prerequisite{}
	for i := range 40 {
		p := prerequisite("data", fmt.Sprintf("d%d", i))
		p.TemplateVariables = []*hclspec.TemplateVariable{{Name: "p"}}
		p.Require = []hclspec.Reference{{Target: fmt.Sprintf("d%d", i+1), With: map[string]any{"p": "{{ p }}{{ p }}"}}}
		doubling = append(doubling, p)
	}
	last := prerequisite("data", "d40")
	last.TemplateVariables = []*hclspec.TemplateVariable{{Name: "p"}}
	for name, c := range map[string]struct {
		prerequisites []*hclspec.Prerequisite
		job           *hclspec.Job
		want          string
	}{
		"many references in one string": {
			nil, jobOf(long, commands(strings.Repeat(reference, 10_000))),
			"result-too-large 101: Task role \"worker\" contains the reference `<% $parameters.long %>`, which would make the string longer than 4 MiB. Use a fetch for large data."},
		"many texts with a reference": {
			nil, jobOf(long, commands(slices.Repeat([]string{reference}, 10_000)...)),
			"result-too-large 101: The strings in job \"j\" exceed 16 MiB after references and template variables are filled in. Use a fetch for large data."},
		"template variables that double": {
			append(doubling, last), jobOf(usesWith("d0", map[string]any{"p": "xxxxxxxx"})),
			"result-too-large 20: The strings in job \"j\" exceed 16 MiB after references and template variables are filled in. Use a fetch for large data."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := All(Input{Workspace: workspace(c.prerequisites, c.job)})
			if diff := cmp.Diff(c.want, strings.TrimSpace(diagnostics(diags))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
