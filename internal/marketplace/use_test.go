// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
)

func useOf(t *testing.T, yaml string, with map[string]string) Use {
	t.Helper()
	items, diags := ParseFile("x.yaml", []byte(yaml))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	i := items[0]
	return Use{Found: &Found{Item: i, Market: "team", Address: address("team", i, "")}, With: with}
}

const withVariables = `{name: set, type: data, template_variables: [{name: root, description: "where it goes"}, {name: level, default: "3"}, {name: not-plain}]}`

func TestSkeletonIsAWorkspace(t *testing.T) {
	t.Parallel()
	u := useOf(t, withVariables, map[string]string{"not-plain": `a "b" ${c}`})
	u.Market = &hclspec.Marketplace{Name: "team", Source: "./market"}
	src := u.Skeleton()
	ws, diags := syntax.Decode(syntax.Input{
		Files: map[string][]byte{"main.pai.hcl": src}, Dir: t.TempDir(),
		Values: []syntax.Value{{Name: "root", Origin: syntax.OriginOption, Text: "/data"}},
	})
	if diags.HasErrors() || len(ws.Jobs) != 1 {
		t.Fatalf("%v\n%s", diags, src)
	}
	ref := ws.Jobs[0].TaskRoles[0].Prerequisites[0]
	want := map[string]any{"root": "/data", "not-plain": `a "b" ${c}`}
	if diff := cmp.Diff(want, ref.With); diff != "" || ref.Target != "marketplace://data/set?from=team" {
		t.Errorf("the job refers to %s with (-want +got)\n%s", ref.Target, diff)
	}
	if ws.Marketplaces[0].Source != "./market" {
		t.Errorf("the source is %q", ws.Marketplaces[0].Source)
	}
	image := useOf(t, "{name: torch, type: dockerimage, uri: busybox}", nil).Skeleton()
	if !strings.Contains(string(image), `image         = "marketplace://dockerimage/torch?from=team"`) {
		t.Errorf("the skeleton for an image is\n%s", image)
	}
}

func TestAddingChangesOneListOfTheFile(t *testing.T) {
	t.Parallel()
	const head, tail = "# ours\njob \"a\" {\n  task_role \"w\" {\n    image    = \"busybox\" # small\n", "\n    commands = [\"true\"]\n  }\n}\n"
	for name, c := range map[string]struct{ before, after string }{
		"no list": {"", "@task_role"},
		"empty list": {
			"    prerequisites = []",
			"    prerequisites = [@]"},
		"one line": {
			"    prerequisites = [prerequisite.data.x]",
			"    prerequisites = [prerequisite.data.x, @]"},
		"one line with a comma": {
			"    prerequisites = [prerequisite.data.x, ]",
			"    prerequisites = [prerequisite.data.x, @]"},
		"several lines": {
			"    prerequisites = [\n      prerequisite.data.x, # first\n      # second\n      prerequisite.data.y # last\n    ]",
			"    prerequisites = [\n      prerequisite.data.x, # first\n      # second\n      prerequisite.data.y, # last\n      @,\n    ]"},
		"several lines with a comma": {
			"    prerequisites = [\n      prerequisite.data.x, # first\n    ]",
			"    prerequisites = [\n      prerequisite.data.x, # first\n      @,\n    ]"},
		"an expression": {
			"    prerequisites = local.all",
			"    prerequisites = concat(local.all, [@])"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := useOf(t, "{name: set, type: data, uri: x}", nil)
			got, err := u.AddTo(RoleOf{File: "main.pai.hcl", Role: "w"}, []byte(head+c.before+tail))
			if err != nil {
				t.Fatal(err)
			}
			want := head + strings.ReplaceAll(c.after, "@", `"marketplace://data/set?from=team"`) + tail
			if c.after == "@task_role" {
				want = strings.Replace(head, "{\n    image    =", "{\n    prerequisites = [\"marketplace://data/set?from=team\"]\n    image    =", 1) + tail
			}
			format := func(s string) string { return string(syntax.Format([]byte(s))) }
			if diff := cmp.Diff(format(want), format(string(got))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestAddingKeepsTheStyleOfTheFile checks that AddTo does not format the file, and
// indents new lines like their neighbors.
func TestAddingKeepsTheStyleOfTheFile(t *testing.T) {
	t.Parallel()
	const head, tail = "job \"a\" {\n    task_role \"w\" {\n", "\n        commands=[\"true\"]\n    }\n}\n"
	for name, c := range map[string]struct{ before, after string }{
		"several lines":                   {"        prerequisites = [\n            a,\n            b # last\n        ]", "        prerequisites = [\n            a,\n            b, # last\n            @,\n        ]"},
		"a last line with two elements":   {"\tprerequisites = [\n\t\ta,\n\t\tb, c,\n\t]", "\tprerequisites = [\n\t\ta,\n\t\tb, c,\n\t\t@,\n\t]"},
		"an object over several lines":    {"        prerequisites = [\n            {\n                use = a\n            },\n        ]", "        prerequisites = [\n            {\n                use = a\n            },\n            @,\n        ]"},
		"an element next to the bracket":  {"        prerequisites = [a,\n        ]", "        prerequisites = [a,\n          @,\n        ]"},
		"an empty list":                   {"        prerequisites = [\n        ]", "        prerequisites = [\n          @,\n        ]"},
		"a closing bracket after element": {"        prerequisites = [\n            a]", "        prerequisites = [\n            a, @]"},
		"a comma on the last line":        {"        prerequisites = [\n            a\n            , ]", "        prerequisites = [\n            a\n            , @]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := useOf(t, "{name: set, type: data, uri: x}", nil)
			got, err := u.AddTo(RoleOf{File: "main.pai.hcl", Role: "w"}, []byte(head+c.before+tail))
			if err != nil {
				t.Fatal(err)
			}
			want := head + strings.ReplaceAll(c.after, "@", `"marketplace://data/set?from=team"`) + tail
			if diff := cmp.Diff(want, string(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestAddToSupportsEmptyAndOneLineBlocks checks that AddTo supports blocks that are
// empty or on one line.
func TestAddToSupportsEmptyAndOneLineBlocks(t *testing.T) {
	t.Parallel()
	for before, after := range map[string]string{
		"  task_role \"w\" {}\n":                      "  task_role \"w\" {\n    @\n  }\n",
		"  task_role \"w\" {\n  }\n":                  "  task_role \"w\" {\n    @\n  }\n",
		"  task_role \"w\" { image = \"busybox\" }\n": "  task_role \"w\" {\n    @\n    image = \"busybox\"\n  }\n",
	} {
		u := useOf(t, "{name: set, type: data, uri: x}", nil)
		got, err := u.AddTo(RoleOf{File: "main.pai.hcl", Role: "w"}, []byte("job \"a\" {\n"+before+" }\n"))
		want := "job \"a\" {\n" + strings.ReplaceAll(after, "@", `prerequisites = ["marketplace://data/set?from=team"]`) + " }\n"
		if err != nil || string(got) != want {
			t.Errorf("%q becomes\n%s (%v), want\n%s", before, got, err, want)
		}
	}
}

func TestAddToDeclaresVariablesOnce(t *testing.T) {
	t.Parallel()
	u := useOf(t, withVariables, nil)
	src := "variable \"root\" {\n  type = string\n}\njob \"a\" {\n  task_role \"w\" {\n  }\n}\n"
	got, err := u.AddTo(RoleOf{"main.pai.hcl", "a", "w"}, []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if text := string(got); strings.Count(text, `variable "root"`) != 1 || strings.Count(text, `variable "not_plain"`) != 1 || !strings.Contains(text, `"not-plain"`) && !strings.Contains(text, "not-plain = var.not_plain") {
		t.Errorf("variables are declared in\n%s", text)
	}
}

func TestAddingWithoutAClearTargetIsAnError(t *testing.T) {
	t.Parallel()
	u := useOf(t, "{name: set, type: data, uri: x}", nil)
	src := "job \"a\" {\n  task_role \"worker\" {}\n}\njob \"b\" {\n  task_role \"worker\" {}\n}\n"
	for name, c := range map[string]struct{ src, job, role, want string }{
		"unknown role": {src, "", "wroker", `Did you mean "worker"?`},
		"unknown job":  {src, "c", "worker", `its jobs are "a", "b"`},
		"two jobs":     {src, "", "worker", "choose one with --job"},
		"no HCL":       {"job {", "", "worker", "main.pai.hcl"},
		"too deep":     {"a = " + strings.Repeat("[", 300_000), "", "worker", "500 levels deep"},
	} {
		if _, err := u.AddTo(RoleOf{"main.pai.hcl", c.job, c.role}, []byte(c.src)); err == nil || !strings.Contains(phrase.Error(err), c.want) {
			t.Errorf("%s: the error is %v, want %q", name, err, c.want)
		}
	}
}
