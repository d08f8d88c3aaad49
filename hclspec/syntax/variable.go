// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// variable contains a variable block and the data for evaluating its value.
type variable struct {
	*hclspec.Variable
	block    *hcl.Block
	typ      cty.Type
	defaults *typeexpr.Defaults
	fallback cty.Value // cty.NilVal without a default
	content  *hcl.BodyContent
}

func (d *decoder) variables(in Input) {
	declared := map[string]*variable{}
	for _, b := range d.blocks["variable"] {
		declared[b.Labels[0]] = d.variable(b)
	}
	chosen := d.selectValues(in, declared)
	for _, b := range d.blocks["variable"] {
		v := declared[b.Labels[0]]
		value := d.valueOf(v, chosen[v.Name])
		d.validate(v, value)
		spelling := d.spellingOf(v, chosen[v.Name])
		v.Value = shownValue(v, value, spelling)
		d.scope.variables[v.Name] = d.hideSensitive(v, value)
		d.scope.spellings[v.Name] = spelling
		d.ws.Variables = append(d.ws.Variables, v.Variable)
	}
}

// shownValue returns a value as JSON, or "" for a sensitive, unknown or null
// value. A number keeps its spelling.
func shownValue(v *variable, value cty.Value, spelling string) string {
	if v.Sensitive || !value.IsWhollyKnown() || value.IsNull() {
		return ""
	}
	if value.Type() == cty.Number && spelling != "" {
		return spelling
	}
	text, err := ctyjson.Marshal(value, value.Type())
	if err != nil {
		return ""
	}
	return string(text)
}

func (d *decoder) variable(b *hcl.Block) *variable {
	v := &variable{
		Variable: &hclspec.Variable{Name: b.Labels[0]},
		block:    b,
		typ:      cty.DynamicPseudoType,
		content:  d.content(b.Body, blockShape(hclspec.VariableBlock)),
	}
	path := d.path(hclspec.NewAddress("variable", v.Name))
	d.ws.Sources[path] = b.DefRange
	for name, a := range v.content.Attributes {
		d.ws.Sources[path.Attr(name)] = a.Expr.Range()
	}
	if a := v.content.Attributes["type"]; a != nil {
		d.variableType(v, a)
	}
	d.constant(v.content.Attributes["description"], cty.String, func(c cty.Value) { v.Description = c.AsString() })
	d.constant(v.content.Attributes["sensitive"], cty.Bool, func(c cty.Value) { v.Sensitive = c.True() })
	if v.Sensitive && v.typ != cty.DynamicPseudoType && !v.typ.IsPrimitiveType() {
		d.report(SensitiveNotText.At(v.content.Attributes["type"].Expr.Range(), "The sensitive variable %q has the type %s, but the type of a sensitive variable must be string, number or bool. Declare one variable for each secret.", v.Name, v.Type))
	}
	if a := v.content.Attributes["default"]; a != nil {
		v.HasDefault = true
		v.fallback = cty.DynamicVal
		if value, diags := d.value(a.Expr, &hcl.EvalContext{}); diags.HasErrors() {
			d.report(diags...)
		} else {
			v.fallback = d.convertTo(v, value, a.Expr.Range(), message.Textf("The default"))
		}
	}
	return v
}

func (d *decoder) variableType(v *variable, a *hcl.Attribute) {
	typ, defaults, diags := typeexpr.TypeConstraintWithDefaults(a.Expr)
	d.report(InvalidExpression.Adopt(diags)...)
	if diags.HasErrors() {
		return
	}
	v.typ, v.defaults = typ, defaults
	src := a.Expr.Range().SliceBytes(d.files[a.Expr.Range().Filename])
	v.Type = strings.Join(strings.Fields(strings.Trim(string(src), `"`)), " ")
}

// constant evaluates an argument without references. It calls use unless the
// value is null or invalid.
func (d *decoder) constant(a *hcl.Attribute, typ cty.Type, use func(cty.Value)) {
	if a == nil {
		return
	}
	v, diags := d.value(a.Expr, &hcl.EvalContext{})
	if diags.HasErrors() {
		d.report(diags...)
		return
	}
	c, err := convert.Convert(v, typ)
	switch {
	case err != nil || !c.IsKnown():
		d.report(hclspec.WrongType.At(a.Expr.Range(), "%s must be %s, but it is %s.", a.Name, describe(cty.UnknownVal(typ)), describe(v)))
	case !c.IsNull():
		use(c)
	}
}

// convertTo converts a value to the type of v. After an error, convertTo returns an
// unknown value.
func (d *decoder) convertTo(v *variable, value cty.Value, at hcl.Range, what message.Text) cty.Value {
	if v.defaults != nil && value.IsKnown() && !value.IsNull() {
		value = v.defaults.Apply(value)
	}
	c, err := convert.Convert(value, v.typ)
	if err != nil {
		d.report(InvalidVariableValue.At(at, "%s for the variable %q does not match the variable's type %s: %s.", what, v.Name, v.Type, err))
		return cty.UnknownVal(v.typ)
	}
	if v.Sensitive && c.IsKnown() && !c.IsNull() && !c.Type().IsPrimitiveType() && !v.typ.IsCollectionType() && v.typ == cty.DynamicPseudoType {
		d.report(SensitiveNotText.At(at, "%s for the sensitive variable %q must be a string, a number or a bool, but is %s.", what, v.Name, describe(c)))
		return cty.UnknownVal(v.typ)
	}
	return c
}

// hideSensitive turns a sensitive value into a workspace secret and returns
// its tag. A value passed to a module may already be a secret.
func (d *decoder) hideSensitive(v *variable, value cty.Value) cty.Value {
	if value.ContainsMarked() {
		return value
	}
	text, ok := stringOf(value, "")
	if !v.Sensitive || !ok {
		return value
	}
	name := variableSecret(v.Name)
	if other := d.declared["secret\x00"+name]; other != nil {
		d.report(hclspec.DuplicateDeclaration.At(other.DefRange, "The secret %q and the sensitive variable %q have the same name. Rename the secret.", name, v.Name))
	}
	d.scope.sensitive[d.secretName(name)] = text
	d.ws.Secrets = append(d.ws.Secrets, &hclspec.Secret{
		Name: name, Module: d.module, Path: d.path(hclspec.NewAddress("variable", v.Name)), Value: hclspec.NewSensitive(text),
	})
	return secretValue(d.secretName(name))
}
