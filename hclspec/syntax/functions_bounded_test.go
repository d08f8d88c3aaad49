// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

func TestFunctionsRejectOversizedResults(t *testing.T) {
	t.Parallel()
	text, number := cty.StringVal, cty.NumberIntVal
	many := make([]cty.Value, 1000)
	for i := range many {
		many[i] = text("x")
	}
	tests := map[string]struct {
		function string
		args     []cty.Value
		refused  string
	}{
		"a width above the limit":                       {"format", []cty.Value{text("%999999999s"), text("x")}, "exceed 4 MiB"},
		"a width that is not a number":                  {"format", []cty.Value{text("%99999999999999999999s"), text("x")}, "exceed 4 MiB"},
		"many widths":                                   {"format", []cty.Value{text(strings.Repeat("%[1]9999s", 1000)), text("x")}, "exceed 4 MiB"},
		"an ordinary width":                             {"format", []cty.Value{text("%-10s 100%%"), text("x")}, ""},
		"a width for each element":                      {"formatlist", []cty.Value{text("%9999s"), cty.ListVal(many)}, "exceed 4 MiB"},
		"a very large indentation":                      {"indent", []cty.Value{number(1000000000), text("a\nb")}, "exceed 4 MiB"},
		"an ordinary indentation":                       {"indent", []cty.Value{number(4), text("a\nb")}, ""},
		"a long separator":                              {"join", []cty.Value{text(strings.Repeat("x", 100_000)), cty.ListVal(many)}, "exceed 4 MiB"},
		"an ordinary separator":                         {"join", []cty.Value{text(", "), cty.ListVal(many)}, ""},
		"a string for each letter of a string":          {"replace", []cty.Value{text(strings.Repeat("a", 3000)), text("a"), text(strings.Repeat("a", 3000))}, "exceed 4 MiB"},
		"a string for each match":                       {"replace", []cty.Value{text(strings.Repeat("a", 3000)), text("/a/"), text(strings.Repeat("a", 3000))}, "exceed 4 MiB"},
		"a replacement that repeats a match many times": {"replace", []cty.Value{text(strings.Repeat("a", 3000)), text("/a+/"), text(strings.Repeat("$0", 3000))}, "exceed 4 MiB"},
		"an ordinary replacement":                       {"replace", []cty.Value{text("a b"), text("/(a) b/"), text("$1")}, ""},
		"aliases of aliases":                            {"yamldecode", []cty.Value{text(aliasesOfAliases())}, "after alias expansion"},
		"an alias within itself":                        {"yamldecode", []cty.Value{text("a: &a [*a]\n")}, "after alias expansion"},
		"deep nesting in YAML":                          {"yamldecode", []cty.Value{text("a: " + strings.Repeat("[", 300) + strings.Repeat("]", 300))}, "nested more than 200 levels deep"},
		"an ordinary document with aliases":             {"yamldecode", []cty.Value{text("a: &a [1, 2]\nb: *a\n")}, ""},
	}
	all := functions(confined{dir: t.TempDir(), what: "workspace"})
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := all[tt.function].Call(tt.args)
			if tt.refused == "" && err != nil || tt.refused != "" && (err == nil || !strings.Contains(err.Error(), tt.refused)) {
				t.Errorf("got %v, want %q", err, tt.refused)
			}
		})
	}
}

// aliasesOfAliases expands to ten billion values.
func aliasesOfAliases() string {
	var b strings.Builder
	b.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	return b.String()
}
