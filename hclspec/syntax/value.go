// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// Value is a value that the user set for a variable.
type Value struct {
	Name   string
	Origin Origin
	// Text is the value from the environment or an option: the string itself
	// for a variable of type string, otherwise an HCL expression. For a value
	// from a file it is the source of the expression.
	Text string
	// Expr is the value as written in a file.
	Expr hcl.Expression
	// Range is the position of a value from a file.
	Range hcl.Range
}

// Origin is the source of a value.
type Origin string

// The origins, lowest precedence first. An environment value for an undeclared
// variable is ignored; from other origins it is an error.
const (
	OriginEnvironment Origin = "environment"
	OriginFile        Origin = "file"
	OriginOption      Origin = "option"
)

// ParseValues parses a file of variable values, *.paivars.hcl or
// *.paivars.hcl.json: one argument per variable.
func ParseValues(name string, src []byte) ([]Value, hcl.Diagnostics) {
	file, diags := parseSource(name, src)
	if file == nil {
		return nil, diags
	}
	attributes, more := file.Body.JustAttributes()
	diags = append(diags, InvalidSyntax.Adopt(more)...)
	values := make([]Value, 0, len(attributes))
	for _, a := range attributes {
		values = append(values, Value{Name: a.Name, Origin: OriginFile, Expr: a.Expr, Text: string(a.Expr.Range().SliceBytes(src)), Range: a.NameRange})
	}
	slices.SortFunc(values, func(a, b Value) int { return cmp.Compare(a.Range.Start.Byte, b.Range.Start.Byte) })
	return values, diags
}
