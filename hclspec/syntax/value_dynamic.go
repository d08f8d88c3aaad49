// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Undeclared returns the diagnostic for a value without a variable declaration.
// known lists the candidates for a suggestion.
func Undeclared(v Value, known []string) *hcl.Diagnostic {
	return UndeclaredVariable.At(v.Range, "%s sets the variable %q, which does not exist.%s", v.source(), v.Name, nearest(v.Name, known))
}

// ForParameter returns the value for a parameter of a job that was not written in
// HCL. The argument present is the current free-form value of the parameter. A
// number keeps its spelling, and a string remains a string. The value cannot use
// functions or references. files holds the source of the file that contains the
// value.
func (v *Value) ForParameter(present any, files map[string][]byte) (any, hcl.Diagnostics) {
	if v.Expr == nil && !isComposite(present) {
		return likeScalar(present, v.Text), nil
	}
	value, diags := v.dynamic(files)
	if diags.HasErrors() {
		return nil, diags
	}
	if present != nil && kindOfValue(present) != kindOfValue(value) {
		return nil, hcl.Diagnostics{InvalidVariableValue.At(v.Range, "%s sets the parameter %q, which is %s, to %s. Use a value of the same type.", v.source(), v.Name, kindOfValue(present), kindOfValue(value))}
	}
	if _, isText := present.(string); isText {
		return fmt.Sprint(value), nil
	}
	return value, nil
}

// dynamic evaluates an expression that contains neither functions nor
// references.
func (v *Value) dynamic(files map[string][]byte) (any, hcl.Diagnostics) {
	expr := v.Expr
	if expr == nil {
		const name = "value"
		text := []byte(v.Text)
		parsed, invalid := hclsyntax.ParseExpression(text, name, hcl.InitialPos)
		if limits := scanTemplate(name, []byte("${"+v.Text+"}")); limits.HasErrors() || invalid.HasErrors() {
			return nil, hcl.Diagnostics{InvalidVariableValue.At(v.Range, "%s sets the parameter %q to %q. The value is not a valid HCL expression; strings in it need quotes.", v.source(), v.Name, v.Text)}
		}
		expr, files = parsed, map[string][]byte{name: text}
	}
	d := &decoder{files: files, ws: &hclspec.Workspace{Sources: hclspec.SourceMap{}}}
	d.scope = newScope(d, "")
	d.scope.functions = nil
	value := d.reader(frame{}).dynamic(d.scope.node(expr, frame{}), "")
	return value, d.diags
}

// likeScalar converts a string to the type of present, the current parameter
// value.
func likeScalar(present any, text string) any {
	switch present.(type) {
	case string:
		return text
	case bool:
		if text == "true" || text == "false" {
			return text == "true"
		}
	}
	if hclspec.Number(text).InJSON() {
		return hclspec.Number(text)
	}
	return text
}

func isComposite(value any) bool {
	switch value.(type) {
	case []any, map[string]any:
		return true
	}
	return false
}

// kindOfValue returns the kind of a free-form value for error messages.
func kindOfValue(value any) string {
	switch value.(type) {
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	return "one value"
}
