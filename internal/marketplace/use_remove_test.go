// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unused always returns false, as if no other file refers to a variable.
func unused(string) bool { return false }

func TestRemoveKeepsTheOtherElementsOfATaskRole(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, address, after string }{
		"the first element of one line":    {"    prerequisites = [prerequisite.data.x, prerequisite.data.y]", "prerequisite.data.x", "    prerequisites = [prerequisite.data.y]"},
		"the last element of one line":     {"    prerequisites = [prerequisite.data.x, prerequisite.data.y]", "prerequisite.data.y", "    prerequisites = [prerequisite.data.x]"},
		"the only one":                     {"    prerequisites = [prerequisite.data.x]", "prerequisite.data.x", "    prerequisites = []"},
		"a line with its comment":          {"    prerequisites = [\n      # above\n      prerequisite.data.x, # gone\n      prerequisite.data.y, # stays\n    ]", "prerequisite.data.x", "    prerequisites = [\n      # above\n      prerequisite.data.y, # stays\n    ]"},
		"the last element without a comma": {"    prerequisites = [\n      prerequisite.data.x, # first\n      # second\n      prerequisite.data.y\n    ]", "prerequisite.data.y", "    prerequisites = [\n      prerequisite.data.x, # first\n      # second\n    ]"},
		"a field":                          {"    # the set\n    data = prerequisite.data.x", "prerequisite.data.x", "    # the set"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := RoleOf{File: "main.pai.hcl", Role: "w"}.Remove(roleWith(c.before), c.address, unused)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.after, linesOf(got.Content)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestRemoveUndoesAnAddition(t *testing.T) {
	t.Parallel()
	const set = "marketplace://data/set?from=team"
	const before = "# ours\njob \"a\" {\n  task_role \"w\" {\n    prerequisites = []\n    image         = \"busybox\"\n  }\n}\n"
	at, u := RoleOf{File: "main.pai.hcl", Role: "w"}, useOf(t, withVariables, nil)
	added, err := u.AddTo(at, []byte(before))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(string) string
		used   string
		kept   string // variable
	}{
		"as added":        {},
		"a changed type":  {func(s string) string { return strings.Replace(s, "= string\n  desc", "= number\n  desc", 1) }, "", "root"},
		"a default":       {func(s string) string { return strings.Replace(s, "  desc", "  default = 1\n  desc", 1) }, "", "root"},
		"a comment above": {func(s string) string { return strings.Replace(s, "variable \"root", "# where\nvariable \"root", 1) }, "", "root"},
		"a comment in it": {func(s string) string { return strings.Replace(s, "  desc", "  # where\n  desc", 1) }, "", "root"},
		"another use":     {func(s string) string { return strings.Replace(s, "busybox", "${var.not_plain}", 1) }, "", "not_plain"},
		"another file":    {nil, "root", "root"},
	} {
		src := string(added)
		if c.change != nil {
			src = c.change(src)
		}
		got, err := at.Remove([]byte(src), "marketplace://name/set", func(name string) bool { return name == c.used })
		if err != nil {
			t.Fatal(err)
		}
		want := slices.DeleteFunc([]string{"not_plain", "root"}, func(name string) bool { return name == c.kept })
		slices.Sort(got.Variables)
		if diff := cmp.Diff(want, got.Variables); diff != "" {
			t.Errorf("%s: variables (-want +got)\n%s", name, diff)
		}
		if diff := cmp.Diff([]string{set}, got.Addresses); diff != "" {
			t.Errorf("%s: addresses (-want +got)\n%s", name, diff)
		}
		if diff := cmp.Diff(before, string(got.Content)); c.kept == "" && diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestOnlyWholeNamesAreReferences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"a = var.root": true, "a = var . root": true, `a = var["root"]`: true, `{"a": "${var[\"root\"]}"}`: true,
		"a = var.roots": false, "a = local.root": false, "variable \"root\" {}": false,
	} {
		if RefersTo([]byte(text), "root") != want {
			t.Errorf("%s: want %v", text, want)
		}
	}
	for text, want := range map[string]bool{"a = 1\n  root = 2": true, `{"root": 1}`: true, "{\n  \"root\": 1\n}": true, "roots = 1": false} {
		if Sets([]byte(text), "root") != want {
			t.Errorf("values %s: want %v", text, want)
		}
	}
}
