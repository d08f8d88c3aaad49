// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// stringOf converts a value to a string. For a number, it returns spelling
// unless spelling is empty. stringOf returns false for null, lists, objects
// and unknown values.
func stringOf(v cty.Value, spelling string) (string, bool) {
	if !v.IsKnown() || v.IsNull() || !v.Type().IsPrimitiveType() {
		return "", false
	}
	if v.Type() == cty.Number && spelling != "" {
		return spelling, true
	}
	text, err := convert.Convert(v, cty.String)
	if err != nil {
		return "", false
	}
	return text.AsString(), true
}

// describe describes a value for a message. It does not print the value.
func describe(v cty.Value) string {
	typ := v.Type()
	switch {
	case v.IsNull():
		return "null"
	case typ == cty.String:
		return "a string"
	case typ == cty.Number:
		return "a number"
	case typ == cty.Bool:
		return "a bool"
	case typ.Equals(referenceType):
		return "a reference"
	case typ.IsTupleType(), typ.IsListType():
		return "a list"
	case typ.IsSetType():
		return "a set"
	default:
		return "an object"
	}
}
