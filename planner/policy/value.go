// SPDX-License-Identifier: MPL-2.0

package policy

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// valueOf converts structs and maps to objects, and slices to tuples. Nil
// pointers and absent free-form values become null.
func valueOf(v any) cty.Value { return convert(reflect.ValueOf(v)) }

func convert(v reflect.Value) cty.Value {
	if !v.IsValid() {
		return cty.NullVal(cty.DynamicPseudoType)
	}
	switch typed := v.Interface().(type) {
	case unknown:
		return cty.DynamicVal
	case cty.Value:
		return typed
	case hclspec.Number:
		return number(string(typed))
	case json.Number:
		return number(string(typed))
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return cty.NullVal(cty.DynamicPseudoType)
		}
		return convert(v.Elem())
	case reflect.String:
		return cty.StringVal(v.String())
	case reflect.Bool:
		return cty.BoolVal(v.Bool())
	case reflect.Int, reflect.Int64:
		return cty.NumberIntVal(v.Int())
	case reflect.Float64:
		return cty.NumberFloatVal(v.Float())
	case reflect.Slice:
		return tuple(v)
	case reflect.Map:
		return object(v)
	case reflect.Struct:
		attributes := map[string]cty.Value{}
		structure(v, attributes)
		return cty.ObjectVal(attributes)
	}
	panic(fmt.Sprintf("policy: cannot convert a value of type %s", v.Type()))
}

// number returns a string value if text is not a valid number.
func number(text string) cty.Value {
	n, err := cty.ParseNumberVal(text)
	if err != nil {
		return cty.StringVal(text)
	}
	return n
}

func tuple(v reflect.Value) cty.Value {
	elements := make([]cty.Value, v.Len())
	for i := range elements {
		elements[i] = convert(v.Index(i))
	}
	return cty.TupleVal(elements)
}

func object(v reflect.Value) cty.Value {
	attributes := make(map[string]cty.Value, v.Len())
	for it := v.MapRange(); it.Next(); {
		attributes[it.Key().String()] = convert(it.Value())
	}
	return cty.ObjectVal(attributes)
}

// structure adds the fields of a struct and its embedded structs under JSON
// names. Pod settings are added under their HCL names.
func structure(v reflect.Value, into map[string]cty.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case !f.IsExported():
			continue
		case f.Anonymous && name == "":
			structure(reflect.Indirect(v.Field(i)), into)
			continue
		case name == "":
			name = podField(f.Name)
		}
		if name != "" && name != "-" {
			into[name] = convert(v.Field(i))
		}
	}
}

// podField returns the HCL name of a Pod setting, or "" for other fields.
func podField(goName string) string {
	for _, f := range hclspec.PodBlock.Fields {
		if f.Go == goName {
			return f.Name
		}
	}
	return ""
}
