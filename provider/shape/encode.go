// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"reflect"
	"strconv"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// Encode converts a model struct to a tree of Terraform attributes. It omits
// default values. Decoding and encoding a declaration therefore returns its
// shortest form.
func (o *Object) Encode(model any) map[string]any {
	return o.encode(reflect.Indirect(reflect.ValueOf(model)))
}

func (o *Object) encode(v reflect.Value) map[string]any {
	tree := map[string]any{}
	for _, a := range o.Attributes {
		a.encode(v.FieldByName(a.Field.Go), tree)
	}
	return tree
}

func (a *Attribute) encode(v reflect.Value, tree map[string]any) {
	switch a.Form {
	case Single:
		if v.Kind() == reflect.Pointer && v.IsNil() {
			return
		}
		nested := a.Object.encode(reflect.Indirect(v))
		if len(nested) > 0 || v.Kind() == reflect.Pointer {
			tree[a.Name] = nested
		}
	case List:
		if v.Len() > 0 {
			list := make([]any, v.Len())
			for i := range list {
				list[i] = a.Object.encode(reflect.Indirect(v.Index(i)))
			}
			tree[a.Name] = list
		}
	case Map:
		a.encodeMap(v, tree)
	default:
		if value, ok := a.encodeValue(v); ok {
			tree[a.Name] = value
		}
	}
}

func (a *Attribute) encodeMap(v reflect.Value, tree map[string]any) {
	if v.Len() == 0 {
		return
	}
	objects, order := map[string]any{}, []any{}
	for i := range v.Len() {
		item := reflect.Indirect(v.Index(i))
		key := item.FieldByName(a.Key).String()
		objects[key] = a.Object.encode(item)
		order = append(order, key)
	}
	tree[a.Name] = objects
	if a.Order != "" && !sortedStrings(order) {
		tree[a.Order] = order
	}
}

func sortedStrings(list []any) bool {
	for i := 1; i < len(list); i++ {
		if list[i-1].(string) > list[i].(string) {
			return false
		}
	}
	return true
}

// encodeValue encodes a value other than a nested object. It returns false
// for the default.
func (a *Attribute) encodeValue(v reflect.Value) (any, bool) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() || a.Field.Kind == hclspec.Text {
			return nil, false
		}
		return scalar(v.Elem()), true
	}
	if ref, ok := v.Interface().(hclspec.Reference); ok {
		return ref.Target, ref.Target != ""
	}
	if isDefault(a.Field, v) && !a.Field.Required {
		return nil, false
	}
	switch x := v.Interface().(type) {
	case []string:
		list := make([]any, len(x))
		for i, s := range x {
			list[i] = s
		}
		return list, true
	}
	switch a.Form {
	case StringMap, IntegerMap:
		object := map[string]any{}
		for _, key := range v.MapKeys() {
			object[key.String()] = scalar(v.MapIndex(key))
		}
		return object, true
	case JSON:
		return string(MarshalTree(v.Interface())), true
	case DynamicValue:
		return v.Interface(), true
	}
	return scalar(v), true
}

// isDefault reports whether a value has the same meaning as an absent
// attribute.
func isDefault(f *hclspec.Field, v reflect.Value) bool {
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
		return v.Len() == 0
	}
	absent := reflect.New(v.Type()).Elem()
	f.SetDefault(absent)
	return v.Equal(absent) || v.IsZero() && f.Kind != hclspec.Bool && f.Kind != hclspec.Int
}

func scalar(v reflect.Value) any {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch x := v.Interface().(type) {
	case hclspec.Duration:
		return x.String()
	case hclspec.Number:
		return string(x)
	case bool:
		return x
	}
	if v.Kind() == reflect.Int {
		return hclspec.Number(strconv.Itoa(int(v.Int())))
	}
	return v.String()
}
