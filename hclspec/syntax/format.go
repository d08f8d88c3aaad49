// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"bytes"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// Format returns a native-syntax source in canonical format. It formats whitespace
// like hclwrite, quotes labels, and unwraps "${ }" around a whole expression. It
// removes blank lines at the start and end of a file. Format does not change a source
// that does not parse or exceeds the limits. Format preserves the meaning and is
// idempotent.
func Format(src []byte) []byte {
	if scanLimits("", src).HasErrors() {
		return src
	}
	if _, diags := hclsyntax.ParseConfig(src, "", hcl.InitialPos); diags.HasErrors() {
		return src
	}
	file, diags := hclwrite.ParseConfig(src, "", hcl.InitialPos)
	if diags.HasErrors() {
		return src
	}
	normalizeBody(file.Body())
	return formatUntilStable(file.Bytes())
}

// formatUntilStable repeats hclwrite.Format, because one pass can cause changes
// in the next pass.
func formatUntilStable(src []byte) []byte {
	for {
		trimmed := bytes.TrimLeft(bytes.TrimRight(src, " \t\r\n"), "\r\n")
		if len(trimmed) == 0 {
			return nil
		}
		next := hclwrite.Format(append(bytes.Clone(trimmed), '\n'))
		if bytes.Equal(next, src) || len(next) > 2*len(src)+64 {
			return next
		}
		src = next
	}
}

func normalizeBody(body *hclwrite.Body) {
	for name, a := range body.Attributes() {
		tokens := a.Expr().BuildTokens(nil)
		for inner := unwrap(tokens); inner != nil; inner = unwrap(inner) {
			body.SetAttributeRaw(name, inner)
		}
	}
	for _, b := range body.Blocks() {
		if labels := b.Labels(); len(labels) > 0 && hasBareLabel(b) {
			b.SetLabels(labels)
		}
		normalizeBody(b.Body())
	}
}

func hasBareLabel(b *hclwrite.Block) bool {
	for _, t := range b.BuildTokens(nil)[1:] {
		switch t.Type {
		case hclsyntax.TokenOBrace:
			return false
		case hclsyntax.TokenIdent:
			return true
		}
	}
	return false
}

// unwrap returns the expression of a value that is one "${ }", otherwise nil. It
// returns nil for a multi-line expression. Without "${ }", such an expression
// could end at the first newline.
func unwrap(tokens hclwrite.Tokens) hclwrite.Tokens {
	last := len(tokens) - 1
	if last < 4 || tokens[0].Type != hclsyntax.TokenOQuote || string(tokens[1].Bytes) != "${" ||
		tokens[last].Type != hclsyntax.TokenCQuote || string(tokens[last-1].Bytes) != "}" {
		return nil
	}
	depth := 0
	inner := tokens[2 : last-1]
	for _, t := range inner {
		switch t.Type {
		case hclsyntax.TokenTemplateInterp, hclsyntax.TokenTemplateControl:
			depth++
		case hclsyntax.TokenTemplateSeqEnd:
			if depth--; depth < 0 {
				return nil // the value contains two adjacent interpolations
			}
		case hclsyntax.TokenNewline, hclsyntax.TokenComment, hclsyntax.TokenOHeredoc:
			return nil
		}
	}
	return inner
}
