// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
)

// Removal is the result of [RoleOf.Remove].
type Removal struct {
	Content []byte
	// Addresses are the removed references, as written in the file and without
	// duplicates. Variables are the names of the removed input variables.
	Addresses, Variables []string
}

// Remove removes a prerequisite from a task role. It preserves comments, except for
// comments on the line of the removed reference. It also removes the input
// variables in the reference. It keeps a variable if the block contains more than
// [Use.AddTo] writes. It also keeps a variable if the rest of the file refers to it
// or used(variable) returns true.
func (at RoleOf) Remove(src []byte, address string, used func(variable string) bool) (*Removal, error) {
	r := &Removal{}
	var candidates []string
	out, err := at.edit(src, func(src []byte, block *hclsyntax.Block) ([]byte, error) {
		places, err := at.places(src, block, address)
		if err != nil {
			return nil, err
		}
		for _, p := range slices.Backward(places) {
			r.Addresses = append(r.Addresses, written(src, p.expr))
			candidates = append(candidates, inputVariables(p.expr)...)
			switch {
			case p.field == "image":
				return nil, fmt.Errorf("the task role %q requires an image; replace the image instead", at.Role)
			case p.list != nil:
				src = cutElement(src, p.list, p.index)
			default:
				src = cutLine(src, block.Body.Attributes[p.field].SrcRange)
			}
		}
		return src, nil
	}, func(*hclsyntax.Body) string { return "" })
	if err != nil {
		return nil, err
	}
	slices.Sort(r.Addresses)
	r.Addresses = slices.Compact(r.Addresses)
	for _, name := range candidates {
		if rest, ok := withoutVariable(at.File, out, name); ok && !RefersTo(rest, name) && !used(name) {
			out, r.Variables = rest, append(r.Variables, name)
		}
	}
	r.Content = out
	return r, nil
}

// inputVariables returns the names of input variables in an expression, with
// duplicates.
func inputVariables(expr hclsyntax.Expression) []string {
	var names []string
	for _, t := range expr.Variables() {
		if len(t) < 2 || t.RootName() != "var" {
			continue
		}
		if a, ok := t[1].(hcl.TraverseAttr); ok {
			names = append(names, a.Name)
		}
	}
	return names
}

// RefersTo reports whether a configuration file refers to an input variable. It also
// returns true for a reference in a comment.
func RefersTo(src []byte, variable string) bool {
	name := regexp.QuoteMeta(variable)
	return regexp.MustCompile(`\bvar\s*(\.\s*` + name + `\b|\[\s*\\?"` + name + `\\?"\s*\])`).Match(src)
}

// Sets reports whether a variables file sets an input variable.
func Sets(src []byte, variable string) bool {
	return regexp.MustCompile(`(?m)(^|[{,])\s*"?` + regexp.QuoteMeta(variable) + `"?\s*[=:]`).Match(src)
}

// withoutVariable removes the block of an input variable and the blank line
// above it. It returns false if the block has a comment or is not generated.
func withoutVariable(file string, src []byte, name string) ([]byte, bool) {
	body, diags := syntax.ParseNative(file, src)
	if diags.HasErrors() {
		return nil, false
	}
	for _, b := range body.Blocks {
		if b.Type != "variable" || len(b.Labels) != 1 || b.Labels[0] != name {
			continue
		}
		start, end := b.Range().Start.Byte, b.CloseBraceRange.End.Byte
		above := bytes.TrimRight(src[:start], " \t\n")
		last := above[bytes.LastIndexByte(above, '\n')+1:]
		if !isGenerated(b, src) || isComment(bytes.TrimSpace(last)) && len(src[len(above):start]) < len("\n\n") {
			return nil, false
		}
		rest := bytes.TrimLeft(src[end:], " \t\n")
		if len(above) > 0 && len(rest) > 0 {
			above = slices.Concat(above, []byte("\n\n"))
		} else if len(above) > 0 {
			above = slices.Concat(above, []byte("\n"))
		}
		return slices.Concat(above, rest), true
	}
	return nil, false
}

// isGenerated reports whether a variable block contains only what [Use.AddTo]
// writes: the type string and an optional description.
func isGenerated(b *hclsyntax.Block, src []byte) bool {
	text := src[b.Range().Start.Byte:b.CloseBraceRange.End.Byte]
	tokens, diags := hclsyntax.LexConfig(text, "", hcl.InitialPos)
	if diags.HasErrors() || slices.ContainsFunc(tokens, func(t hclsyntax.Token) bool { return t.Type == hclsyntax.TokenComment }) {
		return false
	}
	for name, a := range b.Body.Attributes {
		if name != "description" && (name != "type" || hcl.ExprAsKeyword(a.Expr) != "string") {
			return false
		}
	}
	return len(b.Body.Blocks) == 0 && b.Body.Attributes["type"] != nil
}

// cutElement removes an element and its comma from a list. If the element does
// not share its lines with other elements, cutElement also removes a trailing
// comment.
func cutElement(src []byte, list *hclsyntax.TupleConsExpr, index int) []byte {
	at := list.Exprs[index].Range()
	start, end := at.Start.Byte, at.End.Byte
	rest := src[end:]
	blank := len(rest) - len(bytes.TrimLeft(rest, " \t\n"))
	comma := rest[blank] == ','
	if comma {
		end += blank + 1
	}
	line := bytes.LastIndexByte(src[:start], '\n') + 1
	newline := bytes.IndexByte(src[end:], '\n')
	if newline >= 0 && len(bytes.TrimSpace(src[line:start])) == 0 {
		if beside := bytes.TrimSpace(src[end : end+newline]); len(beside) == 0 || isComment(beside) {
			return slices.Concat(src[:line], src[end+newline+1:])
		}
	}
	if !comma && index > 0 {
		start = list.Exprs[index-1].Range().End.Byte // the preceding comma
		return slices.Concat(src[:start], src[end:])
	}
	return slices.Concat(src[:start], bytes.TrimLeft(src[end:], " \t"))
}

func isComment(text []byte) bool {
	return bytes.HasPrefix(text, []byte("#")) || bytes.HasPrefix(text, []byte("//"))
}

func cutLine(src []byte, at hcl.Range) []byte {
	start := bytes.LastIndexByte(src[:at.Start.Byte], '\n') + 1
	end := at.End.Byte + bytes.IndexByte(src[at.End.Byte:], '\n') + 1
	return slices.Concat(src[:start], src[end:])
}
