// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// roleWith returns a file with one task role that contains the given lines.
func roleWith(lines string) []byte {
	return []byte("# ours\njob \"a\" {\n  task_role \"w\" {\n    image = \"busybox\" # small\n" + lines + "\n    commands = [\"true\"]\n  }\n}\n")
}

func linesOf(src []byte) string {
	_, rest, _ := strings.Cut(string(src), "# small\n")
	lines, _, _ := strings.Cut(rest, "\n    commands")
	return lines
}

func TestReplaceExchangesEveryReferenceInATaskRole(t *testing.T) {
	t.Parallel()
	const set = `"marketplace://data/set?from=team"`
	for name, c := range map[string]struct{ before, address, after string }{
		"an element":                 {"    prerequisites = [prerequisite.data.x, prerequisite.data.y] # both", "prerequisite.data.x", "    prerequisites = [" + set + ", prerequisite.data.y] # both"},
		"one with values":            {"    prerequisites = [\n      # mine\n      { use = prerequisite.data.x, with = { a = 1 } }, # the first\n    ]", "prerequisite.data.x", "    prerequisites = [\n      # mine\n      " + set + ", # the first\n    ]"},
		"another spelling":           {"    prerequisites = [prerequisite.data[\"x\"]]", "prerequisite.data.x", "    prerequisites = [" + set + "]"},
		"an item of any marketplace": {"    prerequisites = [\"marketplace://name/old?from=team\"]", "marketplace://name/old", "    prerequisites = [" + set + "]"},
		"data and the list":          {"    data = prerequisite.data.x # ours\n\n    prerequisites = [prerequisite.data.x]", "prerequisite.data.x", "    data = " + set + " # ours\n\n    prerequisites = [" + set + "]"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := useOf(t, "{name: set, type: data, uri: x}", nil)
			got, err := u.Replace(RoleOf{File: "main.pai.hcl", Role: "w"}, roleWith(c.before), c.address)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.after, linesOf(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// An unformatted file remains unformatted, but a new argument is indented like its
// neighbors.
func TestSetIndentsANewArgument(t *testing.T) {
	t.Parallel()
	u := useOf(t, "{name: set, type: data, uri: x}", nil)
	got, err := u.Set(RoleOf{File: "main.pai.hcl", Role: "w"}, roleWith("    env   = 1"), "data")
	if err != nil {
		t.Fatal(err)
	}
	want := "  task_role \"w\" {\n    data = \"marketplace://data/set?from=team\"\n    image = \"busybox\" # small\n    env   = 1\n"
	if !strings.Contains(string(got), want) {
		t.Errorf("%s\ndoes not contain\n%s", got, want)
	}
}

func TestInvalidEditsOfATaskRoleAreErrors(t *testing.T) {
	t.Parallel()
	at, set := RoleOf{File: "main.pai.hcl", Role: "w"}, useOf(t, "{name: set, type: data, uri: x}", nil)
	replace := func(lines, address string) error {
		_, err := set.Replace(at, roleWith(lines), address)
		return err
	}
	_, image := at.Remove(roleWith(""), "busybox", unused)
	_, field := set.Set(at, roleWith(""), "script")
	for want, err := range map[string]error{
		`does not refer to prerequisite.data.z; it refers to "busybox", "prerequisite.data.x". Did you mean "prerequisite.data.x"?`: replace("    data          = prerequisite.data.x\n    prerequisites = [prerequisite.data.x]", "prerequisite.data.z"),
		"change the expression manually":                                    replace("    prerequisites = local.all", "prerequisite.data.x"),
		"image of the task role \"w\" requires an item of type dockerimage": replace("", "busybox"),
		"requires an image":                                                 image,
		"script requires an item of type script":                            field,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q in it", err, want)
		}
	}
}
