// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// Value is a value that the user set for a variable.
type Value struct {
	Name   string
	Origin Origin
	// Text is the value from the environment or an option. It is an HCL
	// expression, except for a variable of type string or without a type. If
	// the value is from a file, Text is the HCL source of Expr.
	Text string
	// Expr is the value as written in a file.
	Expr hcl.Expression
	// Range is the position of the value, if it is from a file.
	Range hcl.Range
}

// Origin is the source of a value.
type Origin string

// The origins of values, from lowest to highest precedence. A value for an
// undeclared variable is an error, except that values from the environment
// are ignored.
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

// RecordedValue returns a value from the JSON in [hclspec.Variable.Value].
func RecordedValue(name string, text []byte) (Value, error) {
	var value ctyjson.SimpleJSONValue
	if err := value.UnmarshalJSON(text); err != nil {
		return Value{}, fmt.Errorf("decode the value of the variable %q: %w", name, err)
	}
	return Value{Name: name, Origin: OriginOption, Text: string(text), Expr: hcl.StaticExpr(value.Value, hcl.Range{})}, nil
}
