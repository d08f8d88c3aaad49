// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestInstancesAreReferredToOneByOne(t *testing.T) {
	t.Parallel()
	role := func(prerequisites string) string {
		return `
prerequisite "data" "part" {
  for_each = toset(["a", "b.1"])
}
job "j" {
  task_role "w" {
    image         = "busybox"
    commands      = ["true"]
    prerequisites = ` + prerequisites + `
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 1
    }
  }
}`
	}
	a, b := `prerequisite.data.part["a"]`, `prerequisite.data.part["b.1"]`
	cases := map[string]struct {
		src  string
		want []hclspec.Reference
	}{
		"one":                   {`[prerequisite.data.part["a"]]`, []hclspec.Reference{{Target: a}}},
		"all":                   {`values(prerequisite.data.part)`, []hclspec.Reference{{Target: a}, {Target: b}}},
		"objects that are made": {`[for k, p in prerequisite.data.part : { use = p, with = { dir = k } }]`, []hclspec.Reference{{Target: a, With: map[string]any{"dir": "a"}}, {Target: b, With: map[string]any{"dir": "b.1"}}}},
		"objects with only use": {`[for p in prerequisite.data.part : { use = p }]`, []hclspec.Reference{{Target: a}, {Target: b}}},
		"a reference to all instances is an error": {`[prerequisite.data.part]`, nil},
	}
	for sentence, c := range cases {
		ws, diags := Decode(Input{Files: map[string][]byte{"a.pai.hcl": []byte(role(c.src))}})
		if c.want == nil {
			if !strings.Contains(listing(diags), "refers to all instances of a for_each declaration") {
				t.Errorf("%s: %s", sentence, listing(diags))
			}
			continue
		}
		got := ws.Jobs[0].TaskRoles[0].Prerequisites
		for i := range got {
			got[i].Path = ""
		}
		if diff := cmp.Diff(c.want, got); diff != "" || len(diags) > 0 {
			t.Errorf("%s: %s\n%s", sentence, listing(diags), diff)
		}
	}
}

// The decoder reports a mistake in a for_each block once, with all affected
// instances.
func TestDiagnosticsRecordTheirInstances(t *testing.T) {
	t.Parallel()
	const resources = "\n    resources {\n      gpu       = 0\n      cpu       = 1\n      memory_mb = 1\n    }\n"
	role := func(arguments, resources string) string {
		return "job \"exp\" {\n  for_each = toset([\"0\", \"1\", \"2\"])\n  name     = \"exp-${each.key}\"\n  task_role \"w\" {\n    image    = \"busybox\"\n    commands = [\"true\"]\n" + arguments + resources + "  }\n}\n"
	}
	all := []hclspec.Address{`job.exp["0"]`, `job.exp["1"]`, `job.exp["2"]`}
	cases := map[string]struct {
		src  string
		code string
		want []hclspec.Address
	}{
		"a wrong type":                 {role("    instances = \"many\"\n", resources), "wrong-type", all},
		"a missing argument":           {strings.Replace(role("", resources), "    image    = \"busybox\"\n", "", 1), "missing-argument", all},
		"a missing block":              {role("", ""), "missing-block", all},
		"an unknown argument":          {role("    imagee = \"x\"\n", resources), "unknown-argument", all},
		"an unknown block":             {role("    resource {}\n", resources), "unknown-block", all},
		"a wrong label":                {role("    hooks \"x\" {}\n", resources), "unknown-block", all},
		"an unknown name":              {role("    description = var.none\n", resources), "unknown-argument", all},
		"an invalid function":          {role("    environment = { A = upper(1, 2) }\n", resources), "invalid-expression", all},
		"a wrong type in one instance": {role("    instances = each.key == \"1\" ? \"many\" : \"1\"\n", resources), "wrong-type", all[1:2]},
		"a job without a name":         {strings.Replace(role("", resources), "  name     = \"exp-${each.key}\"\n", "", 1), "missing-argument", all},
		"a local that only jobs use": {
			role("    environment = local.broken\n", resources) + "locals {\n  broken = upper(1, 2)\n}\n", "invalid-expression", nil,
		},
		"JSON": {
			`{"job": {"exp": {"for_each": "${toset([\"0\", \"1\", \"2\"])}", "name": "exp-${each.key}", "task_role": {"w": {"image": "busybox", "commands": ["true"], "instances": "many", "resources": {"gpu": 0, "cpu": 1, "memory_mb": 1}}}}}}`,
			"wrong-type", all,
		},
	}
	for sentence, c := range cases {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			name := "a.pai.hcl"
			if strings.HasPrefix(c.src, "{") {
				name += ".json"
			}
			_, diags := Decode(Input{Files: map[string][]byte{name: []byte(c.src)}})
			if len(diags) != 1 || hclspec.Code(diags[0]) != c.code {
				t.Fatalf("%d diagnostics, want one %s:\n%s", len(diags), c.code, listing(diags))
			}
			if diff := cmp.Diff(c.want, hclspec.Instances(diags[0])); diff != "" {
				t.Errorf("instances (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnknownAndNullElementsAreReported(t *testing.T) {
	t.Parallel()
	const variable = "variable \"x\" {\n  type = %s\n}\n"
	job := func(forEach string) string {
		return "job \"j\" {\n  for_each = " + forEach + "\n  task_role \"w\" {\n    image    = \"busybox\"\n    commands = [\"true\"]\n    resources {\n      gpu       = 0\n      cpu       = 1\n      memory_mb = 1\n    }\n  }\n}\n"
	}
	const inputs = "prerequisite \"data\" \"j\" {\n  for_each = toset([var.x])\n  fetch {\n    url = \"https://example.org/a\"\n    to  = \"a\"\n  }\n}\n"
	cases := map[string]struct{ src, code string }{
		"an unknown element":                         {fmt.Sprintf(variable, "string") + job(`toset([var.x])`), "missing-variable-value"},
		"an unknown element of a prerequisite":       {fmt.Sprintf(variable, "string") + inputs, "missing-variable-value"},
		"a union with an unknown element":            {fmt.Sprintf(variable, "string") + job(`setunion(["a"], [var.x])`), "missing-variable-value"},
		"an unknown element of an unknown type":      {fmt.Sprintf(variable, "any") + job(`toset([var.x])`), "missing-variable-value"},
		"an unknown number":                          {fmt.Sprintf(variable, "number") + job(`toset([var.x])`), "missing-variable-value"},
		"a null element":                             {job(`toset(["a", null])`), "invalid-for-each"},
		"only a null element":                        {job(`toset([null])`), "invalid-for-each"},
		"a null element in an expression":            {job(`{ for k in toset(["a", null]) : "b" => k }`), "invalid-expression"},
		"a map with null and unknown as values":      {fmt.Sprintf(variable, "string") + job(`{ a = null, b = var.x }`), "missing-variable-value"},
		"a map with an unknown key":                  {fmt.Sprintf(variable, "string") + job(`{ (var.x) = "a" }`), "missing-variable-value"},
		"a set of sets with an unknown element":      {fmt.Sprintf(variable, "string") + job(`toset([toset([var.x])])`), "missing-variable-value"},
		"a set of maps with an unknown element":      {fmt.Sprintf(variable, "string") + job(`toset([{ a = var.x }])`), "missing-variable-value"},
		"a local set with an unknown element":        {fmt.Sprintf(variable, "string") + "locals {\n  all = toset([var.x])\n}\n" + job(`local.all`), "missing-variable-value"},
		"the length of a set with an unknown string": {fmt.Sprintf(variable, "string") + job(`length(toset([var.x, "a"])) > 1 ? toset(["a"]) : toset([])`), "missing-variable-value"},
	}
	for sentence, c := range cases {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			_, diags := Decode(Input{Files: map[string][]byte{"a.pai.hcl": []byte(c.src)}})
			if len(diags) == 0 || hclspec.Code(diags[0]) != c.code {
				t.Errorf("want %s first:\n%s", c.code, listing(diags))
			}
		})
	}
}
