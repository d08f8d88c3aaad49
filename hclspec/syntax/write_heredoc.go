// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// heredoc writes a string as a heredoc, indented if possible. A chomp call
// removes a newline that the heredoc adds. heredoc returns false if decoding
// would return a different string, for example because of a carriage return.
func (p *nativePrinter) heredoc(t template) (string, bool) {
	body, ended := strings.CutSuffix(t.render(identity), "\n")
	marker := "EOT"
	for strings.Contains(body, marker) {
		marker += "_"
	}
	for _, indent := range []string{strings.Repeat("  ", p.depth+1), ""} {
		doc := p.indented(body, marker, indent)
		if !ended {
			doc = "chomp(" + doc + "\n" + strings.Repeat("  ", p.depth) + ")"
		}
		if evaluatesTo(doc, t) {
			return doc, true
		}
	}
	return "", false
}

// indented writes a heredoc with indented lines. It does not indent blank
// lines, because HCL ignores them when it determines the indent.
func (p *nativePrinter) indented(body, marker, indent string) string {
	var b strings.Builder
	b.WriteString("<<")
	if indent != "" {
		b.WriteString("-")
	}
	b.WriteString(marker + "\n")
	for line := range strings.SplitSeq(body, "\n") {
		if strings.TrimSpace(line) != "" {
			b.WriteString(indent)
		}
		b.WriteString(line + "\n")
	}
	if indent != "" {
		b.WriteString(strings.Repeat("  ", p.depth))
	}
	b.WriteString(marker)
	return b.String()
}

// evaluatesTo reports whether an expression and a template evaluate to the
// same string.
func evaluatesTo(src string, t template) bool {
	expr, diags := hclsyntax.ParseExpression([]byte(src+"\n"), "", hcl.InitialPos)
	if diags.HasErrors() {
		return false
	}
	want := ""
	names := map[string]cty.Value{}
	for _, part := range t {
		want += part.plain
		if part.interp != "" {
			want += "<" + string(part.interp) + ">"
			reference, _ := hclsyntax.ParseTraversalAbs([]byte(part.interp), "", hcl.InitialPos)
			name, _ := stepName(reference, 1)
			names[name] = cty.StringVal("<" + string(part.interp) + ">")
		}
	}
	v, diags := expr.Value(&hcl.EvalContext{
		Variables: map[string]cty.Value{"secret": cty.ObjectVal(names)},
		Functions: map[string]function.Function{"chomp": stdlib.ChompFunc},
	})
	return !diags.HasErrors() && v.RawEquals(cty.StringVal(want))
}
