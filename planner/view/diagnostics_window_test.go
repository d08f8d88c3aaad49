package view

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
)

func TestLongLinesAreCutAroundTheMark(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ before, marked, after, want string }{
		"in the middle": {strings.Repeat("a", 5000), "here", strings.Repeat("b", 5000), "..." + strings.Repeat("a", 60) + "here" + strings.Repeat("b", 176) + "..."},
		"at the start":  {"", "here", strings.Repeat("b", 5000), "here" + strings.Repeat("b", 236) + "..."},
		"at the end":    {strings.Repeat("a", 5000), "here", "", "..." + strings.Repeat("a", 60) + "here"},
		"wide letters":  {strings.Repeat("ä", 5000), "here", strings.Repeat("ö", 5000), "..." + strings.Repeat("ä", 30) + "here" + strings.Repeat("ö", 88) + "..."},
		"a short line":  {"a ", "here", " b", "a here b"},
	}
	for sentence, c := range cases {
		start := hcl.Pos{Line: 1, Column: len([]rune(c.before)) + 1}
		end := hcl.Pos{Line: 1, Column: start.Column + len(c.marked)}
		d := syntax.UnknownReference.At(hcl.Range{Filename: "a", Start: start, End: end}, "X.")
		var out strings.Builder
		if err := Diagnostics(&out, hcl.Diagnostics{d}, map[string][]byte{"a": []byte(c.before + c.marked + c.after)}, DiagnosticOptions{}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		column := len([]rune(c.want[:strings.Index(c.want, "here")]))
		if lines[3] != "  1 | "+c.want || lines[4] != "    | "+strings.Repeat(" ", column)+"^^^^" {
			t.Errorf("%s:\n%s", sentence, out.String())
		}
	}
}
