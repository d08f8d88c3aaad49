// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"fmt"
	"math/big"
	"strconv"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
)

// Tree converts a value to a JSON-like tree: objects have no null attributes,
// and numbers are [hclspec.Number] values. It returns false if any part of
// the value is unknown.
func Tree(v tftypes.Value) (tree any, known bool) {
	d := NewDecoder()
	tree = withoutNulls(v, d.dynamicValue(v, ""))
	return tree, len(d.Unknown) == 0
}

// withoutNulls drops the null attributes of objects. Elements of lists and
// maps keep their positions.
func withoutNulls(v tftypes.Value, tree any) any {
	switch t := tree.(type) {
	case map[string]any:
		isObject := v.Type().Is(tftypes.Object{})
		for key, e := range members(v) {
			if t[key] == nil && isObject {
				delete(t, key)
				continue
			}
			t[key] = withoutNulls(e, t[key])
		}
	case []any:
		var elements []tftypes.Value
		must(v.As(&elements))
		for i, e := range elements {
			t[i] = withoutNulls(e, t[i])
		}
	}
	return tree
}

// Value is the reverse of [Tree]: it converts a tree to a value of a type.
// Attributes missing from the tree are null. The error describes the part
// that does not match the type.
func Value(tree any, typ tftypes.Type) (tftypes.Value, error) {
	if tree == nil {
		return tftypes.NewValue(typ, nil), nil
	}
	switch t := typ.(type) {
	case tftypes.Object:
		return objectValue(tree, t)
	case tftypes.List:
		return listValue(tree, t)
	case tftypes.Map:
		return mapValue(tree, t)
	}
	if typ.Is(tftypes.DynamicPseudoType) {
		return Dynamic(tree), nil
	}
	return scalarValue(tree, typ)
}

// scalarValue returns a string, number or bool. Like Terraform, it converts
// between these types through their string form.
func scalarValue(tree any, typ tftypes.Type) (tftypes.Value, error) {
	var text string
	switch x := tree.(type) {
	case string:
		text = x
	case hclspec.Number:
		text = string(x)
	case bool:
		text = strconv.FormatBool(x)
	default:
		return tftypes.Value{}, fmt.Errorf("must be a string, number or bool, but is %s", describeKind(tree))
	}
	switch {
	case typ.Is(tftypes.Number):
		n, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
		if err != nil {
			return tftypes.Value{}, fmt.Errorf("%q is not a number", text)
		}
		return tftypes.NewValue(typ, n), nil
	case typ.Is(tftypes.Bool):
		if text != "true" && text != "false" {
			return tftypes.Value{}, fmt.Errorf("%q is not a bool; it must be true or false", text)
		}
		return tftypes.NewValue(typ, text == "true"), nil
	}
	return tftypes.NewValue(typ, text), nil
}

func objectValue(tree any, t tftypes.Object) (tftypes.Value, error) {
	object, ok := tree.(map[string]any)
	if !ok {
		return tftypes.Value{}, fmt.Errorf("must be an object, but is %s", describeKind(tree))
	}
	values := make(map[string]tftypes.Value, len(t.AttributeTypes))
	for name, typ := range t.AttributeTypes {
		v, err := Value(object[name], typ)
		if err != nil {
			return tftypes.Value{}, fmt.Errorf("%s: %w", name, err)
		}
		values[name] = v
	}
	return tftypes.NewValue(t, values), nil
}

func listValue(tree any, t tftypes.List) (tftypes.Value, error) {
	list, ok := tree.([]any)
	if !ok {
		return tftypes.Value{}, fmt.Errorf("must be a list, but is %s", describeKind(tree))
	}
	values := make([]tftypes.Value, len(list))
	for i, e := range list {
		v, err := Value(e, t.ElementType)
		if err != nil {
			return tftypes.Value{}, fmt.Errorf("element %d: %w", i, err)
		}
		values[i] = v
	}
	return tftypes.NewValue(t, values), nil
}

func mapValue(tree any, t tftypes.Map) (tftypes.Value, error) {
	object, ok := tree.(map[string]any)
	if !ok {
		return tftypes.Value{}, fmt.Errorf("must be a map, but is %s", describeKind(tree))
	}
	values := make(map[string]tftypes.Value, len(object))
	for key, e := range object {
		v, err := Value(e, t.ElementType)
		if err != nil {
			return tftypes.Value{}, fmt.Errorf("%s: %w", key, err)
		}
		values[key] = v
	}
	return tftypes.NewValue(t, values), nil
}

// Dynamic returns a tree as a value whose type is derived from the tree:
// objects, tuples, numbers, strings and bools.
func Dynamic(tree any) tftypes.Value {
	switch t := tree.(type) {
	case nil:
		return tftypes.NewValue(tftypes.DynamicPseudoType, nil)
	case bool:
		return tftypes.NewValue(tftypes.Bool, t)
	case string:
		return tftypes.NewValue(tftypes.String, t)
	case hclspec.Number:
		n, _, err := big.ParseFloat(string(t), 10, 512, big.ToNearestEven)
		if err != nil { // a YAML notation that Terraform does not support
			return tftypes.NewValue(tftypes.String, string(t))
		}
		return tftypes.NewValue(tftypes.Number, n)
	case []any:
		typ := tftypes.Tuple{ElementTypes: make([]tftypes.Type, len(t))}
		values := make([]tftypes.Value, len(t))
		for i, e := range t {
			values[i] = Dynamic(e)
			typ.ElementTypes[i] = values[i].Type()
		}
		return tftypes.NewValue(typ, values)
	case map[string]any:
		typ := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}
		values := map[string]tftypes.Value{}
		for key, e := range t {
			values[key] = Dynamic(e)
			typ.AttributeTypes[key] = values[key].Type()
		}
		return tftypes.NewValue(typ, values)
	}
	panic(fmt.Sprintf("shape: a tree cannot contain a %T", tree))
}

// MarshalTree encodes a tree as canonical JSON: sorted keys, no HTML escaping, no
// spaces.
func MarshalTree(tree any) []byte {
	text, err := plainjson.Marshal(tree)
	must(err)
	return text
}
