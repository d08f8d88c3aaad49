// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestScanLimitsRejectsOversizedAndInvalidSources(t *testing.T) {
	t.Parallel()
	deep := func(open, inside, closing string, n int) string {
		return strings.Repeat(open, n) + inside + strings.Repeat(closing, n)
	}
	cases := map[string]struct {
		name, src string
		want      *hclspec.Entry
	}{
		"a list nested as deep as allowed":             {"a.hcl", "x = " + deep("[", "", "]", 499), nil},
		"a list nested too deep":                       {"a.hcl", "x = " + deep("[", "", "]", 501), NestingTooDeep},
		"brackets that never close":                    {"a.hcl", strings.Repeat("[", 2<<20), NestingTooDeep},
		"blocks nested too deep":                       {"a.hcl", deep("a {\n", "", "}\n", 501), NestingTooDeep},
		"templates nested too deep":                    {"a.hcl", "x = " + deep(`"${`, "1", `}"`, 501), NestingTooDeep},
		"brackets in a string do not nest":             {"a.hcl", `x = "` + strings.Repeat("[", 5000) + `"`, nil},
		"brackets in a comment do not nest":            {"a.hcl", "# " + strings.Repeat("[", 5000) + "\n/* " + strings.Repeat("(", 5000) + "*/", nil},
		"brackets in a heredoc do not nest":            {"a.hcl", "x = <<E\n" + strings.Repeat("[", 5000) + "\nE\n", nil},
		"a comment without an end hides no nesting":    {"a.hcl", "/* " + strings.Repeat("[", 5000), NestingTooDeep},
		"many comments that never end":                 {"a.hcl", strings.Repeat("/*\n", 100_000), nil},
		"an escaped interpolation hides no nesting":    {"a.hcl", `x = "$${"` + strings.Repeat("[", 600), NestingTooDeep},
		"a quote in an interpolation":                  {"a.hcl", `x = "${"}"}` + strings.Repeat("[", 600) + `"`, nil},
		"a bracket of another kind does not end code":  {"a.hcl", `x = "${ ) ` + strings.Repeat("[", 600), NestingTooDeep},
		"a heredoc as long as allowed":                 {"a.hcl", "x = <<E\n" + strings.Repeat("l\n", 20_000) + "E\n", nil},
		"a heredoc that is too long":                   {"a.hcl", "x = <<E\n" + strings.Repeat("l\n", 20_001) + "E\n", HeredocTooLong},
		"an indented heredoc that is too long":         {"a.hcl", "x = <<-E\r\n" + strings.Repeat("l\r\n", 20_001) + " E\r\n", HeredocTooLong},
		"a string with very many dollar signs":         {"a.hcl", "x = \"" + strings.Repeat("a $b ", 200_000) + "\"", HeredocTooLong},
		"two long heredocs":                            {"a.hcl", strings.Repeat("x = <<E\n"+strings.Repeat("l\n", 15_000)+"E\n", 2), nil},
		"a run of operators":                           {"a.hcl", "x = " + strings.Repeat("!", 2001) + "true", ExpressionTooLong},
		"a chain of indexes":                           {"a.hcl", "x = a" + strings.Repeat("[b]", 2001), ExpressionTooLong},
		"a chain of calls":                             {"a.hcl", "x = " + strings.Repeat("f(1, 2) + ", 1001) + "1", ExpressionTooLong},
		"conditions in a template without end":         {"a.hcl", `x = "` + strings.Repeat("%{ if true }", 2001) + `"`, ExpressionTooLong},
		"operators add up over the levels":             {"a.hcl", "x = " + strings.Repeat(strings.Repeat("!", 400)+"(", 6), ExpressionTooLong},
		"a long list of negative numbers":              {"a.hcl", "x = [" + strings.Repeat("-1, ", 50_000) + "]", nil},
		"many arguments with operators":                {"a.hcl", strings.Repeat("x = 1 + 2\n", 20_000), nil},
		"more tokens than the limit":                   {"a.hcl", "x = [" + strings.Repeat("1,", 600_000) + "]", SourceTooLarge},
		"a source of more than 5 MiB":                  {"a.hcl", "x = \"" + strings.Repeat("x", 5<<20) + `"`, SourceTooLarge},
		"a number of as many digits as allowed":        {"a.hcl", "x = " + strings.Repeat("9", 10_000), nil},
		"a number with too many digits":                {"a.hcl", "x = " + strings.Repeat("9", 10_001), SourceTooLarge},
		"a number with too many digits in JSON":        {"a.json", `{"a": ` + strings.Repeat("9", 10_001) + `}`, SourceTooLarge},
		"a string of digits":                           {"a.json", `{"a": "` + strings.Repeat("9", 10_001) + `"}`, nil},
		"JSON nested too deep":                         {"a.json", strings.Repeat(`{"a":[`, 251), NestingTooDeep},
		"a template in JSON that is nested too deeply": {"a.json", `{"a": "${` + strings.Repeat(`[\"}\", `, 501) + `}"}`, NestingTooDeep},
		"a template in JSON written with escapes":      {"a.json", `{"a": "\u0024{` + strings.Repeat(`[`, 501) + `}"}`, NestingTooDeep},
		"brackets in a JSON string":                    {"a.json", `{"a": "` + strings.Repeat(`[`, 5000) + `"}`, nil},
		"operators in a template in JSON":              {"a.json", `["${` + strings.Repeat(`!`, 2001) + `}"]`, ExpressionTooLong},
		"a JSON string with many lines":                {"a.json", `{"a": "` + strings.Repeat(`a line of text\n`, 100_000) + `"}`, HeredocTooLong},
		"a string with as many lines as a heredoc":     {"a.json", `{"a": "` + strings.Repeat(`line\n`, 20_000) + `"}`, nil},
		"a long list of numbers in JSON":               {"a.json", `[` + strings.Repeat(`1,`, 150_000) + `1]`, SourceTooLarge},
		"an unterminated JSON string":                  {"a.json", `["\`, nil},
		"bytes that are not text":                      {"a.hcl", "x = \"\xff\"", NotUTF8},
		"an empty source":                              {"a.hcl", "", nil},
		"a script with many braces and backslashes":    {"a.hcl", "x = <<E\n" + strings.Repeat("echo $${A} \"${1}\" \\ ` ' } ) ]\n", 1500) + "E\n", nil},
	}
	for sentence, c := range cases {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			diags := scanLimits(c.name, []byte(c.src))
			switch {
			case c.want == nil && len(diags) > 0:
				t.Errorf("refused: %s", diags[0].Detail)
			case c.want != nil && (len(diags) != 1 || hclspec.Code(diags[0]) != c.want.Code):
				t.Errorf("got %s, want %s", listing(diags), c.want.Code)
			}
		})
	}
}

func TestScanLimitsReportsThePosition(t *testing.T) {
	t.Parallel()
	diags := scanLimits("a.hcl", []byte("x = 1\n\n  y = "+strings.Repeat("[", 501)))
	want := hcl.Pos{Line: 3, Column: 507, Byte: 513}
	if len(diags) != 1 || diags[0].Subject.Start != want {
		t.Errorf("got %v, want %v", diags[0].Subject.Start, want)
	}
}

func TestTemplatesAndValuesHaveLimits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir+"/deep.tpl", []byte("${"+strings.Repeat("[", 600)))
	_, diags := Decode(Input{
		Dir:    dir,
		Files:  map[string][]byte{"a.hcl": []byte("locals {\n  a = templatefile(\"deep.tpl\", {})\n}\nvariable \"v\" {\n  type = any\n}\nvariable \"n\" {\n  type = list(any)\n}\n")},
		Values: []Value{{Name: "v", Text: "x", Origin: OriginOption}, {Name: "n", Text: strings.Repeat("[", 600), Origin: OriginOption}},
	})
	got := listing(diags)
	if strings.Count(got, "500 levels deep") != 2 {
		t.Errorf("the template and the value must both be rejected:\n%s", got)
	}
}

func TestLongChainsOfLocalsAreRefused(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("locals {\n  l0 = 1\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "  l%d = local.l%d\n", i+1, i)
	}
	b.WriteString("}\njob \"a\" {\n  description = local.l5000\n}\n")
	_, diags := Decode(Input{Files: map[string][]byte{"a.hcl": []byte(b.String())}})
	if !strings.Contains(listing(diags), "references-too-deep") {
		t.Errorf("got %s", listing(diags))
	}
}

func TestValuesThatDoubleAreRefused(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("locals {\n  l0 = \"0123456789\"\n  m0 = [1]\n")
	for i := range 60 {
		fmt.Fprintf(&b, "  l%d = \"${local.l%d}${local.l%d}\"\n  m%d = [local.m%d, local.m%d]\n", i+1, i, i, i+1, i, i)
	}
	b.WriteString("}\n")
	_, diags := Decode(Input{Files: map[string][]byte{"a.hcl": []byte(b.String())}})
	if strings.Count(listing(diags), "result-too-large") != 2 {
		t.Errorf("got %s", listing(diags))
	}
}

// tokenDepth returns the nesting depth that HCL's scanner finds.
func tokenDepth(src []byte) int {
	tokens, _ := hclsyntax.LexConfig(src, "a.hcl", hcl.InitialPos)
	deepest := 0
	var open []hclsyntax.TokenType
	leave := func(types ...hclsyntax.TokenType) {
		for i := len(open) - 1; i >= 0; i-- {
			for _, typ := range types {
				if open[i] == typ {
					open = open[:i]
					return
				}
			}
			if open[i] == hclsyntax.TokenOQuote || open[i] == hclsyntax.TokenOHeredoc || len(types) == 1 && types[0] != hclsyntax.TokenOQuote {
				return
			}
		}
	}
	for _, token := range tokens {
		switch token.Type {
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen, hclsyntax.TokenOQuote,
			hclsyntax.TokenOHeredoc, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			open = append(open, token.Type)
			deepest = max(deepest, len(open))
		case hclsyntax.TokenCBrack:
			leave(hclsyntax.TokenOBrack)
		case hclsyntax.TokenCParen:
			leave(hclsyntax.TokenOParen)
		case hclsyntax.TokenCBrace, hclsyntax.TokenTemplateSeqEnd:
			leave(hclsyntax.TokenOBrace, hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl)
		case hclsyntax.TokenCQuote:
			leave(hclsyntax.TokenOQuote)
		case hclsyntax.TokenCHeredoc:
			leave(hclsyntax.TokenOHeredoc)
		}
	}
	return deepest
}

// FuzzScanLimits compares the scan with HCL's scanner. It checks that the scan
// never finds a smaller nesting depth than HCL's scanner.
func FuzzScanLimits(f *testing.F) {
	for _, s := range []string{
		`a = "${[("x")]}"`, "a = <<E\n${[\nE\n1]}\nE\n", `"\${" $${ %%{ %{ if x }`, "/* [ */ [ // (\n(", "x {\n a = <<-E\n\tE\n}\n", `"$"`, `"%"[`, "\"\n\"[", `${ ) } [`, `~}`, "<<E\r\n[\r\nE\r\n[",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if !utf8.ValidString(src) {
			return
		}
		s := &limitScan{name: "a.hcl", src: []byte(src), modes: []mode{{kind: inCode}}}
		if len(s.run(s.step)) > 0 {
			return // rejected in any case
		}
		if want := min(tokenDepth([]byte(src)), maxNesting); s.deepest < want {
			t.Fatalf("%q is %d deep, but the scan saw %d", src, want, s.deepest)
		}
	})
}
