// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/zclconf/go-cty/cty"
)

// selectValues selects the value with the highest precedence for each
// variable. It reports undeclared variables.
func (d *decoder) selectValues(in Input, declared map[string]*variable) map[string]*Value {
	chosen := map[string]*Value{}
	for i := range in.Values {
		v := &in.Values[i]
		switch {
		case declared[v.Name] != nil:
			chosen[v.Name] = v
		case in.Undeclared != nil:
			in.Undeclared(*v)
		case v.Origin != OriginEnvironment:
			d.report(Undeclared(*v, slices.Sorted(maps.Keys(declared))))
		}
	}
	return chosen
}

// source describes the origin of a value, for the start of a sentence.
func (v *Value) source() message.Text {
	switch v.Origin {
	case OriginEnvironment:
		return message.Textf("The environment variable PAI_VAR_%s", v.Name)
	case OriginOption:
		return message.Textf("The option %s", message.OptionVariable)
	default:
		return message.Textf("This file")
	}
}

// description describes a value by its origin, for the start of a sentence.
func (v *Value) description() message.Text {
	switch v.Origin {
	case OriginEnvironment:
		return message.Textf("The value in the environment (PAI_VAR_%s)", v.Name)
	case OriginOption:
		return message.Textf("The value of the option %s", message.OptionVariable)
	default:
		return message.Textf("The value")
	}
}

// valueOf returns the user's value or the default. It returns an unknown value
// after an error, or if both are missing.
func (d *decoder) valueOf(v *variable, input *Value) cty.Value {
	switch {
	case input != nil:
		value, ok := d.rawValue(v, input)
		if !ok {
			return cty.DynamicVal
		}
		if value.IsNull() && v.HasDefault {
			return v.fallback
		}
		at := input.Range
		if input.Expr != nil {
			at = input.Expr.Range()
		}
		return d.convertTo(v, value, at, input.description())
	case v.HasDefault:
		return v.fallback
	}
	if d.policies {
		d.report(hclspec.MissingVariableValue.At(v.block.DefRange, "The variable %q has no value: set the variable in a .paivars.hcl file of the policy directory, or set a default.", v.Name))
		return cty.UnknownVal(v.typ)
	}
	d.report(hclspec.MissingVariableValue.At(v.block.DefRange, "The variable %q has no value: set PAI_VAR_%s, set the variable in a .paivars.hcl file, or pass %s %s=....", v.Name, v.Name, message.OptionVariable, v.Name))
	return cty.UnknownVal(v.typ)
}

// spellingOf returns the source text of a number, or "" for another value.
func (d *decoder) spellingOf(v *variable, input *Value) string {
	if input != nil {
		if text := strings.TrimSpace(input.Text); hclspec.Number(text).InJSON() {
			return text
		}
		return ""
	}
	if a := v.content.Attributes["default"]; a != nil {
		return d.scope.spelling(a.Expr)
	}
	return ""
}

// rawValue returns the user's value before conversion.
func (d *decoder) rawValue(v *variable, input *Value) (cty.Value, bool) {
	if input.Expr != nil {
		value, diags := d.value(input.Expr, &hcl.EvalContext{})
		d.report(diags...)
		return value, !diags.HasErrors()
	}
	if v.typ == cty.String || v.typ == cty.DynamicPseudoType {
		return cty.StringVal(input.Text), true
	}
	value, err := parseValue(input.Text)
	if err != "" {
		shown := fmt.Sprintf("%q", input.Text)
		if v.Sensitive {
			shown = "a string that is not shown"
		}
		d.report(InvalidVariableValue.At(v.block.DefRange, "%s sets the variable %q, whose type is %s, to %s. %s", input.source(), v.Name, v.Type, shown, err))
		return cty.DynamicVal, false
	}
	return value, true
}

// parseValue evaluates an expression without references. The error is a
// sentence.
func parseValue(text string) (cty.Value, string) {
	if diags := scanTemplate("value", []byte("${"+text+"}")); diags.HasErrors() {
		return cty.DynamicVal, diags[0].Detail
	}
	expr, diags := hclsyntax.ParseExpression([]byte(text), "value", hcl.InitialPos)
	if diags.HasErrors() {
		return cty.DynamicVal, "The value is not a valid HCL expression; strings in it need quotes."
	}
	if len(expr.Variables()) > 0 {
		// An unquoted word is a string: name=prod works for any variable type
		// that accepts a string.
		return cty.StringVal(text), ""
	}
	value, diags := nativeValue([]byte(text), expr, &hcl.EvalContext{})
	if diags.HasErrors() {
		return cty.DynamicVal, "The value cannot be evaluated: functions and references are not allowed here."
	}
	return value, ""
}

func (d *decoder) validate(v *variable, value cty.Value) {
	for _, b := range v.content.Blocks.OfType("validation") {
		content := d.content(b.Body, blockShape(validationBlock()))
		condition, message := content.Attributes["condition"], content.Attributes["error_message"]
		for _, name := range []string{"condition", "error_message"} {
			if content.Attributes[name] == nil {
				d.report(hclspec.MissingArgument.At(b.DefRange, "This validation block needs the argument %s.", name))
			}
		}
		if condition != nil && message != nil && value.IsWhollyKnown() {
			d.condition(v, value, condition, message)
		}
	}
}

func validationBlock() *hclspec.Block { return hclspec.VariableBlock.Field("validation").Block }

// condition evaluates the condition of a validation with the real value. The
// message does not show a sensitive value.
func (d *decoder) condition(v *variable, value cty.Value, condition, message *hcl.Attribute) {
	result, ok := d.evaluateFor(v, condition.Expr, value)
	if !ok {
		return
	}
	if result.Type() != cty.Bool || !result.IsKnown() || result.IsNull() {
		d.report(InvalidValidation.At(condition.Expr.Range(), "The condition must be a bool, but is %s.", describe(result)))
		return
	}
	if result.True() {
		return
	}
	shown := value
	if v.Sensitive {
		shown = cty.StringVal("***")
	}
	text, ok := d.evaluateFor(v, message.Expr, shown)
	if !ok {
		return
	}
	reason, ok := stringOf(text, "")
	if !ok {
		d.report(hclspec.WrongType.At(message.Expr.Range(), "error_message must be a string, but is %s.", describe(text)))
		return
	}
	of := ""
	if d.module != "" {
		of = " of " + d.module.String()
	}
	d.report(VariableNotValid.At(v.block.DefRange, "The value of the variable %q%s is not valid: %s", v.Name, of, reason))
}

// evaluateFor evaluates an expression that can refer only to the validated
// variable.
func (d *decoder) evaluateFor(v *variable, expr hcl.Expression, value cty.Value) (cty.Value, bool) {
	for _, t := range expr.Variables() {
		if name, _ := stepName(t, 1); t.RootName() != "var" || name != v.Name {
			d.report(InvalidValidation.At(t.SourceRange(), "A validation of the variable %q can refer only to var.%s.", v.Name, v.Name))
			return cty.DynamicVal, false
		}
	}
	result, diags := d.value(expr, &hcl.EvalContext{
		Variables: map[string]cty.Value{"var": cty.ObjectVal(map[string]cty.Value{v.Name: value})},
		Functions: d.scope.functions,
	})
	d.report(diags...)
	return result, !diags.HasErrors()
}
