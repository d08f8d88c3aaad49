// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// For an open attribute, the schema accepts a value of any type. Open attributes
// are for nested objects with many attributes that only a few jobs set.
// Terraform processes every attribute in the schema for every resource, even if
// the attribute is not set (contributing/provider-design.md). The decoder
// performs the checks that the schema would perform: names, types and required
// attributes.

// Open turns the named lists of objects into open attributes, and returns the
// object. An element can be a whole resource. outputs lists the attributes that
// only resources have; the decoder ignores them.
func (o *Object) Open(outputs []string, names ...string) *Object {
	for _, name := range names {
		a := o.byName[name]
		if a.Form != List {
			panic("shape: " + name + " is not a list of objects")
		}
		a.Open, a.Object.outputs = true, outputs
		o.typ.AttributeTypes[name] = tftypes.DynamicPseudoType
	}
	return o
}

// convert converts a known part of an open value to the attribute's declared
// type. If the value has the wrong type, convert adds a diagnostic and returns
// false.
func (d *Decoder) convert(a *Attribute, v tftypes.Value, at hclspec.Path) (tftypes.Value, bool) {
	converted, ok := v, true
	switch a.Form {
	case DynamicValue:
	case JSON:
		if !v.Type().Is(tftypes.String) {
			converted = tftypes.NewValue(tftypes.String, string(MarshalTree(d.dynamicValue(v, at))))
		}
	case Single, Map:
		ok = isObject(v)
	case List:
		ok = isList(v)
	default:
		var err error
		converted, err = Value(d.dynamicValue(v, at), a.Type())
		ok = err == nil
	}
	if !ok {
		d.report(hclspec.WrongType, at, "%s must be %s, but %s.", a.Name, a.Form.describe(), mismatch(a, d.dynamicValue(v, at)))
	}
	return converted, ok
}

// convertOrder returns a list of strings. If the order has a different type,
// convertOrder adds a diagnostic and returns the zero value.
func (d *Decoder) convertOrder(a *Attribute, order tftypes.Value, at hclspec.Path) tftypes.Value {
	if !d.open || order.IsNull() || !order.IsKnown() {
		return order
	}
	converted, err := Value(d.dynamicValue(order, at), tftypes.List{ElementType: tftypes.String})
	if err != nil {
		d.report(hclspec.WrongType, at, "%s must be a list of strings: %s.", a.Order, err)
		return tftypes.Value{}
	}
	return converted
}

// mismatch describes the first element with the wrong type, or the whole
// value if there is no such element.
func mismatch(a *Attribute, tree any) string {
	switch typ := a.Type().(type) {
	case tftypes.List:
		list, _ := tree.([]any)
		for i, e := range list {
			if _, err := Value(e, typ.ElementType); err != nil {
				return fmt.Sprintf("element %d is %s", i, describeKind(e))
			}
		}
	case tftypes.Map:
		object, _ := tree.(map[string]any)
		for _, key := range slices.Sorted(maps.Keys(object)) {
			if _, err := Value(object[key], typ.ElementType); err != nil {
				return fmt.Sprintf("%q is %s", key, describeKind(object[key]))
			}
		}
	}
	return "it is " + describeKind(tree)
}

// isElement reports whether an element is an object. Outside open values, the
// schema requires an object. In an open value, isElement adds a diagnostic for
// other elements.
func (d *Decoder) isElement(o *Object, v tftypes.Value, at hclspec.Path, where path.Path) bool {
	if !d.open || !v.IsKnown() || v.IsNull() || isObject(v) {
		return true
	}
	d.Places.Put(at, where)
	d.report(hclspec.WrongType, at, "A %s must be an object, but this is %s.", o.title(), describeKind(d.dynamicValue(v, at)))
	return false
}

// inlineReference converts an element { use = … } of an open list of declarations
// to the equivalent string. It returns other elements unchanged.
func (d *Decoder) inlineReference(o *Object, v tftypes.Value) tftypes.Value {
	if !d.open || d.Inline == nil || o.byName["use"] != nil || !v.IsKnown() || v.IsNull() || !isObject(v) {
		return v
	}
	values := members(v)
	if use, ok := values["use"]; ok && len(values) == 1 && (!use.IsKnown() || use.Type().Is(tftypes.String)) {
		return use
	}
	return v
}

// isInline reports whether an element of an open list is a string in place of
// an object. It also decodes the string.
func (d *Decoder) isInline(v tftypes.Value, at hclspec.Path, where path.Path) bool {
	if !d.open || d.Inline == nil || !v.IsKnown() || !v.Type().Is(tftypes.String) {
		return false
	}
	d.Places.Put(at, where)
	return d.Inline(stringOf(v), at)
}

// checkNames reports unknown and missing attributes of an object in an open
// value.
func (d *Decoder) checkNames(o *Object, v tftypes.Value, at hclspec.Path, where path.Path) {
	values, known := members(v), slices.Sorted(maps.Keys(o.typ.AttributeTypes))
	if _, isResource := values[definitionName]; isResource && o.hasDefinition() {
		return
	}
	suggested := map[string]bool{} // suggestions for misspelled names
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(known, name) && !slices.Contains(o.outputs, name) {
			suggested[hclspec.Nearest(name, known)] = true
			d.Places.Put(at.Attr(name), where.AtName(name))
			d.report(hclspec.UnknownArgument, at.Attr(name), "Unknown attribute %q in a %s.%s", name, o.title(), hclspec.Suggest(name, known))
		}
	}
	for _, a := range o.Attributes {
		if a.Required() && values[a.Name].IsNull() && !suggested[a.Name] {
			d.report(hclspec.MissingArgument, at, "This %s requires the attribute %s. %s", o.title(), a.Name, a.Field.Doc)
		}
	}
}

func (o *Object) title() string { return strings.ReplaceAll(o.Block.Name, "_", " ") }

func isObject(v tftypes.Value) bool {
	return v.Type().Is(tftypes.Object{}) || v.Type().Is(tftypes.Map{})
}

func isList(v tftypes.Value) bool {
	return v.Type().Is(tftypes.Tuple{}) || v.Type().Is(tftypes.List{}) || v.Type().Is(tftypes.Set{})
}

// equalOpen reports whether two values have the same meaning. It returns
// false if either value is unknown or invalid.
func (a *Attribute) equalOpen(x, y tftypes.Value) bool {
	one, two := a.canonical(x), a.canonical(y)
	return one != nil && bytes.Equal(one, two)
}

// canonical returns the shortest form of an open attribute's value, or nil if
// the value is unknown or invalid.
func (a *Attribute) canonical(v tftypes.Value) []byte {
	d := NewDecoder()
	list := reflect.New(reflect.SliceOf(reflect.PointerTo(a.Object.Block.Type))).Elem()
	d.decodeAttribute(a, v, tftypes.Value{}, list, "", path.Empty())
	if len(d.Diags) > 0 || len(d.Unknown) > 0 {
		return nil
	}
	tree := map[string]any{}
	a.encode(list, tree)
	return MarshalTree(tree)
}
