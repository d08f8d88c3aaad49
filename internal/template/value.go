// SPDX-License-Identifier: MPL-2.0

package template

import (
	"reflect"
	"strconv"
	"strings"
)

// Text returns a scalar as a string, in its original spelling. Scalars are
// strings, bools, integers and floats. Values of every type whose kind is string
// are treated as strings, including numbers in the user's spelling. Lists, maps
// and null are not scalars.
func Text(value any) (string, bool) {
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.String:
		return v.String(), true
	case reflect.Bool:
		return strconv.FormatBool(v.Bool()), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.FormatUint(v.Uint(), 10), true
	case reflect.Float32, reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'f', -1, v.Type().Bits()), true
	}
	return "", false
}

// printed joins the elements of a list with commas, like OpenPAI. A null element
// becomes an empty string. If an element is a [Raw], the list becomes a Raw.
func printed(value any) (any, bool) {
	if _, scalar := Text(value); scalar {
		return value, true
	}
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Slice {
		return nil, false
	}
	elements, templates, raw := make([]string, v.Len()), make([]string, v.Len()), false
	for i := range elements {
		element := v.Index(i).Interface()
		if element == nil {
			continue
		}
		inner, ok := printed(element)
		if !ok {
			return nil, false
		}
		elements[i], _ = Text(inner)
		templates[i] = Escape(elements[i])
		if t, isRaw := inner.(Raw); isRaw {
			templates[i], raw = string(t), true
		}
	}
	if raw {
		return Raw(strings.Join(templates, ",")), true
	}
	return strings.Join(elements, ","), true
}

// Shape describes the kind of a value, for use in a message: "a list", "a map",
// "null" or "a single value".
func Shape(value any) string {
	switch reflect.ValueOf(value).Kind() {
	case reflect.Invalid:
		return "null"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map:
		return "a map"
	}
	return "a single value"
}

// Find starts at a value and follows a path of map keys and list indexes. In
// a list, a key that consists of digits is an index, as in $data.uri.0.
func Find(value any, path []any) (any, bool) {
	for _, step := range path {
		v := reflect.ValueOf(value)
		switch v.Kind() {
		case reflect.Map:
			key, ok := step.(string)
			if !ok || v.Type().Key() != reflect.TypeFor[string]() {
				return nil, false
			}
			if v = v.MapIndex(reflect.ValueOf(key)); !v.IsValid() {
				return nil, false
			}
		case reflect.Slice:
			i, ok := index(step)
			if !ok || i >= v.Len() {
				return nil, false
			}
			v = v.Index(i)
		default:
			return nil, false
		}
		value = v.Interface()
	}
	return value, true
}

func index(step any) (int, bool) {
	switch s := step.(type) {
	case int:
		return s, true
	case string:
		i, err := strconv.Atoi(s)
		return i, err == nil && i >= 0
	}
	return 0, false
}
