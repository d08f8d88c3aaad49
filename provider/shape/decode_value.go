// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"math/big"
	"reflect"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// decodeValue decodes a known value that is not a nested object. For a wrong
// type or an invalid value, it adds a diagnostic and returns false.
func (d *Decoder) decodeValue(a *Attribute, v tftypes.Value, into reflect.Value, at hclspec.Path, where path.Path) bool {
	switch a.Form {
	case Bool:
		var b bool
		must(v.As(&b))
		return set(into, b)
	case Integer:
		n, ok := d.integer(a.Field, a.Name, v, at)
		return ok && set(into, n)
	case StringList:
		return set(into, d.stringList(v, at, where))
	case StringMap:
		return d.stringMap(v, into, at, where)
	case IntegerMap:
		return d.integerMap(a.Field, a.Name, v, into, at, where)
	case DynamicValue:
		return d.dynamic(a, v, into, at)
	case JSON:
		return d.json(a, stringOf(v), into, at)
	default:
		return d.stringValue(a, stringOf(v), into, at)
	}
}

// set stores a value in a field of type T or *T.
func set[T any](into reflect.Value, v T) bool {
	if into.Kind() == reflect.Pointer {
		into.Set(reflect.ValueOf(&v))
	} else {
		into.Set(reflect.ValueOf(v).Convert(into.Type()))
	}
	return true
}

func (d *Decoder) stringValue(a *Attribute, text string, into reflect.Value, at hclspec.Path) bool {
	switch {
	case a.Field.Kind == hclspec.Dur:
		span, err := hclspec.ParseDuration(text)
		if err != nil {
			d.report(hclspec.InvalidSpelling, at, "%s is %q, but %s.", a.Name, text, err)
			return false
		}
		return set(into, span)
	case into.Type() == reflect.TypeFor[hclspec.Reference]():
		ref := &hclspec.Reference{Target: text, Path: at}
		d.resolveTarget(ref, at)
		into.Set(reflect.ValueOf(*ref))
		return true
	case into.Type() == reflect.TypeFor[*hclspec.Sensitive]():
		into.Set(reflect.ValueOf(hclspec.NewSensitive(text)))
		return true
	}
	return set(into, text)
}

func (d *Decoder) report(e *hclspec.Entry, at hclspec.Path, format string, args ...any) {
	d.Diags = append(d.Diags, e.At(d.Places.Sources.Range(at), format, args...))
}

func (d *Decoder) integer(f *hclspec.Field, name string, v tftypes.Value, at hclspec.Path) (int, bool) {
	n := numberOf(v)
	i, accuracy := n.Int64()
	switch {
	case accuracy == big.Exact && int64(int(i)) == i:
		return int(i), true
	case n.IsInt():
		d.Diags = append(d.Diags, hclspec.OutOfRange(f, name, formatFloat(n, 20), d.Places.Sources.Range(at)))
	default:
		d.report(hclspec.WrongType, at, "%s must be an integer, but it is %s.", name, formatFloat(n, 10))
	}
	return 0, false
}

// stringList decodes an unknown element as "", so that the other elements keep
// their positions.
func (d *Decoder) stringList(v tftypes.Value, at hclspec.Path, where path.Path) []string {
	var elements []tftypes.Value
	must(v.As(&elements))
	list := make([]string, 0, len(elements))
	for i, e := range elements {
		list = append(list, d.element(e, at.Index(i), where.AtListIndex(i)))
	}
	return list
}

// element returns "" if the string is null.
func (d *Decoder) element(v tftypes.Value, at hclspec.Path, where path.Path) string {
	d.Places.Put(at, where)
	switch {
	case !v.IsKnown():
		d.Unknown = append(d.Unknown, at)
		return ""
	case v.IsNull():
		return ""
	}
	return stringOf(v)
}

// stringMap omits null elements.
func (d *Decoder) stringMap(v tftypes.Value, into reflect.Value, at hclspec.Path, where path.Path) bool {
	m := reflect.MakeMap(into.Type())
	for key, e := range members(v) {
		if e.IsKnown() && e.IsNull() {
			continue
		}
		m.SetMapIndex(reflect.ValueOf(key), reflect.ValueOf(d.element(e, at.Key(key), where.AtMapKey(key))))
	}
	into.Set(m)
	return true
}

func (d *Decoder) integerMap(f *hclspec.Field, name string, v tftypes.Value, into reflect.Value, at hclspec.Path, where path.Path) bool {
	m := map[string]int{}
	good := true
	for key, e := range members(v) {
		d.Places.Put(at.Key(key), where.AtMapKey(key))
		switch {
		case !e.IsKnown():
			d.Unknown = append(d.Unknown, at.Key(key))
			m[key] = 1
		case !e.IsNull():
			n, ok := d.integer(f, name+"["+key+"]", e, at.Key(key))
			m[key], good = n, good && ok
		}
	}
	into.Set(reflect.ValueOf(m))
	return good
}
