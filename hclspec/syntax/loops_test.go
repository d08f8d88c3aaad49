// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"strings"
	"testing"
)

func TestLoopsAreBounded(t *testing.T) {
	t.Parallel()
	thrice := `[for a in range(1000) : [for b in range(1000) : [for c in range(1000) : a]]]`
	long := `a = "` + strings.Repeat("0123456789", 100_000) + `"`
	for name, c := range map[string]struct {
		file, src string
		refused   int
	}{
		"three loops of a thousand iterations": {"a.pai.hcl", "locals {\n  a = " + thrice + "\n}", 1},
		"iterations without a result":          {"a.pai.hcl", "locals {\n  a = flatten([for a in range(1000) : [for b in range(1000) : a if false]])\n}", 1},
		"long strings in each iteration":       {"a.pai.hcl", "locals {\n  " + long + "\n  b = length([for a in range(1000) : \"${local.a}${a}\"])\n}", 1},
		"objects":                              {"a.pai.hcl", "locals {\n  a = {for a in range(1000) : a => [for b in range(1000) : b]}\n}", 1},
		"a loop in a template":                 {"a.pai.hcl", "locals {\n  a = \"%{ for a in range(1000) }%{ for b in range(1000) }.%{ endfor }%{ endfor }\"\n}", 1},
		"in JSON":                              {"a.pai.hcl.json", `{"locals": {"a": "${` + thrice + `}"}}`, 1},
		"in JSON, escaped":                     {"a.pai.hcl.json", `{"locals": {"a": "${` + strings.ReplaceAll(thrice, "for", `f\u006fr`) + `}"}}`, 1},
		"in a JSON key":                        {"a.pai.hcl.json", `{"locals": {"a": {"${length(` + thrice + `)}": 1}}}`, 1},
		"in the default of a variable":         {"a.pai.hcl", "variable \"a\" {\n  type = any\n  default = [for a in [" + strings.Repeat("1,", 2000) + "] : [for b in [" + strings.Repeat("1,", 2000) + "] : b]]\n}", 1},
		"a table of usual size":                {"a.pai.hcl", "locals {\n  a = flatten([for a in range(10) : [for b in range(100) : \"${a}-${b}\"]])\n  b = {for x in local.a : x => length(x)}\n}", 0},
		"a loop over an empty list":            {"a.pai.hcl", "variable \"a\" {\n  type    = list(string)\n  default = null\n}\nlocals {\n  a = [for a in var.a : a]\n}", 0},
		"a loop over a list without a value":   {"a.pai.hcl", "variable \"a\" {\n  type = list(string)\n}\nlocals {\n  a = [for a in var.a : a]\n}", 0},
		"a loop over an undeclared value":      {"a.pai.hcl", "locals {\n  a = [for a in local.none : a]\n}", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, diags := Decode(Input{Files: map[string][]byte{c.file: []byte(c.src)}})
			got := listing(diags)
			if n := strings.Count(got, "too-many-rounds"); n != c.refused || c.refused > 0 && strings.Count(got, "\n") > 3 {
				t.Errorf("%d diagnostics, want %d:\n%.2000s", n, c.refused, got)
			}
		})
	}
}
