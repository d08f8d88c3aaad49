package syntax

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// Value is a value that was given for a variable.
type Value struct {
	Name   string
	Origin Origin
	// Text is the value as given by environment or option: the text itself for
	// a variable of type string, else an expression in HCL. From a file it is
	// the source of the expression.
	Text string
	// Expr is the value as written in a file.
	Expr hcl.Expression
	// Range is where a value from a file was written.
	Range hcl.Range
}

// Origin reports where a value came from.
type Origin string

// The origins, lowest in rank first. A value from the environment for a
// variable that is not declared is left alone; from elsewhere it is an error.
const (
	OriginEnvironment Origin = "environment"
	OriginFile        Origin = "file"
	OriginOption      Origin = "option"
)

// ParseValues reads a file of values for variables, *.paivars.hcl or
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
