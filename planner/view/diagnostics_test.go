// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// at returns the range of a string in a source.
func at(file, source, text string) hcl.Range {
	start := strings.Index(source, text)
	pos := func(offset int) hcl.Pos {
		before := source[:offset]
		line := strings.Count(before, "\n")
		column := len([]rune(before[strings.LastIndexByte(before, '\n')+1:])) + 1
		return hcl.Pos{Line: line + 1, Column: column, Byte: offset}
	}
	return hcl.Range{Filename: file, Start: pos(start), End: pos(start + len(text))}
}

const source = "job \"mnist\" {\n\timage = torch # grün: naïve\n  commands = [\"a\",\n    \"b\"]\n}\n"

func TestDiagnosticsShowTheirSourceIfAvailable(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"main.pai.hcl": []byte(source)}
	diagnostic := func(r hcl.Range) *hcl.Diagnostic {
		return planner.UnknownAddress.At(r, "Something is wrong with this. Do something about it.")
	}
	syntax := &hcl.Diagnostic{Severity: hcl.DiagError, Summary: "Missing newline", Detail: "One is needed."}
	tests := map[string]struct {
		diagnostic *hcl.Diagnostic
		options    view.DiagnosticOptions
		want       string
	}{
		"the position is marked and tabs are kept": {
			diagnostic(at("main.pai.hcl", source, "torch")), view.DiagnosticOptions{Width: 40},
			"Error: Unknown address [unknown-plan-address]\n" +
				"  at main.pai.hcl:2:10\n\n" +
				"  2 | \timage = torch # grün: naïve\n" +
				"    | \t        ^^^^^\n\n" +
				"  Something is wrong with this. Do\n  something about it.\n\n",
		},
		"columns count characters, not bytes": {
			diagnostic(at("main.pai.hcl", source, "naïve")), view.DiagnosticOptions{},
			"Error: Unknown address [unknown-plan-address]\n" +
				"  at main.pai.hcl:2:24\n\n" +
				"  2 | \timage = torch # grün: naïve\n" +
				"    | \t                      ^^^^^\n\n" +
				"  Something is wrong with this. Do something about it.\n\n",
		},
		"a range over several lines marks each line": {
			diagnostic(at("main.pai.hcl", source, "[\"a\",\n    \"b\"]")), view.DiagnosticOptions{},
			"Error: Unknown address [unknown-plan-address]\n" +
				"  at main.pai.hcl:3:14\n\n" +
				"  3 |   commands = [\"a\",\n    |              ^^^^^\n" +
				"  4 |     \"b\"]\n    |     ^^^^\n\n" +
				"  Something is wrong with this. Do something about it.\n\n",
		},
		"a masked line is not marked, because its columns changed": {
			diagnostic(at("main.pai.hcl", source, "torch")),
			view.DiagnosticOptions{Mask: func(l string) string { return strings.ReplaceAll(l, "torch", "***") }},
			"Error: Unknown address [unknown-plan-address]\n" +
				"  at main.pai.hcl:2:10\n\n" +
				"  2 | \timage = *** # grün: naïve\n\n" +
				"  Something is wrong with this. Do something about it.\n\n",
		},
		"an unavailable file is shown without source lines": {
			diagnostic(at("other.pai.hcl", source, "torch")), view.DiagnosticOptions{},
			"Error: Unknown address [unknown-plan-address]\n" +
				"  at other.pai.hcl:2:10\n\n" +
				"  Something is wrong with this. Do something about it.\n\n",
		},
		"a syntax error has no position and no code": {
			syntax, view.DiagnosticOptions{}, "Error: Missing newline\n\n  One is needed.\n\n",
		},
		"kind, code and position have colors": {
			planner.ShortSecret.At(at("main.pai.hcl", source, "torch"), "Too short."), view.DiagnosticOptions{Color: true},
			"\x1b[1;33mWarning\x1b[0m: \x1b[1mSecret too short to be masked\x1b[0m\x1b[2m [short-secret]\x1b[0m\n" +
				"  at main.pai.hcl:2:10\n\n" +
				"  2 | \timage = torch # grün: naïve\n" +
				"    | \x1b[1;31m\t        ^^^^^\x1b[0m\n\n  Too short.\n\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			if err := view.Diagnostics(&b, hcl.Diagnostics{tt.diagnostic}, files, tt.options); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, b.String()); diff != "" {
				t.Errorf("shown (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzDiagnostics checks that the view does not fail on invalid positions.
func FuzzDiagnostics(f *testing.F) {
	f.Add("a\nb", 1, 1, 2, 2)
	f.Add("", 0, -1, 99, 0)
	f.Add("é\r\n\t", 1, 3, 1, 1)
	f.Fuzz(func(t *testing.T, src string, line, column, endLine, endColumn int) {
		r := hcl.Range{Filename: "f", Start: hcl.Pos{Line: line, Column: column}, End: hcl.Pos{Line: endLine, Column: endColumn}}
		d := planner.ShortSecret.At(r, "Detail.")
		var b bytes.Buffer
		if err := view.Diagnostics(&b, hcl.Diagnostics{d}, map[string][]byte{"f": []byte(src)}, view.DiagnosticOptions{Width: 20}); err != nil {
			t.Fatal(err)
		}
	})
}

func TestDiagnosticsAreWrittenAsOneJSONDocument(t *testing.T) {
	t.Parallel()
	document := view.NewDiagnosticsDocument()
	document.Report(view.NewDiagnostics(hcl.Diagnostics{
		planner.ShortSecret.At(at("main.pai.hcl", source, "torch"), "Too <short>."),
		{Severity: hcl.DiagError, Summary: "Missing newline", Detail: "One is needed."},
	}, phrase.Of)...)
	got, err := plainjson.MarshalIndent(document)
	if err != nil {
		t.Fatal(err)
	}
	want := `{
  "format_version": "1.0",
  "valid": false,
  "errors": 1,
  "warnings": 1,
  "diagnostics": [
    {
      "severity": "warning",
      "code": "short-secret",
      "summary": "Secret too short to be masked",
      "detail": "Too <short>.",
      "range": {
        "filename": "main.pai.hcl",
        "start": {
          "line": 2,
          "column": 10,
          "byte": 23
        },
        "end": {
          "line": 2,
          "column": 15,
          "byte": 28
        }
      }
    },
    {
      "severity": "error",
      "summary": "Missing newline",
      "detail": "One is needed."
    }
  ]
}
`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}

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
		if err := view.Diagnostics(&out, hcl.Diagnostics{d}, map[string][]byte{"a": []byte(c.before + c.marked + c.after)}, view.DiagnosticOptions{}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		column := len([]rune(c.want[:strings.Index(c.want, "here")]))
		if lines[3] != "  1 | "+c.want || lines[4] != "    | "+strings.Repeat(" ", column)+"^^^^" {
			t.Errorf("%s:\n%s", sentence, out.String())
		}
	}
}
