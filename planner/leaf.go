// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// leaf is a single value in a resolved job, and its HCL path.
type leaf struct {
	path hclspec.Path
	// value is nil, a bool, a string or a json.Number. Inside free-form values it
	// can also be a []any or a map[string]any.
	value any
	// zero reports whether the field has the zero value of its type. Such a
	// leaf is not hashed, so a field added to the language later does not
	// change recorded hashes.
	zero bool
}

// leaves lists the values that plans compare. Their order depends only on the
// job.
func leaves(job *resolve.Job) []leaf {
	f := flattener{module: job.Address.Module()}
	f.object("", reflect.ValueOf(job).Elem())
	return f.leaves
}

type flattener struct {
	leaves []leaf
	// module is the module of the job. Addresses in paths are relative to
	// this module. The paths therefore do not change if the job and its
	// declarations move to a different module.
	module hclspec.Address
}

// relative removes the module from a key that is an address.
func (f *flattener) relative(field, key string) string {
	if f.module == "" || field != "Address" {
		return key
	}
	return strings.TrimPrefix(key, f.module.String()+".")
}

func (f *flattener) add(p hclspec.Path, value any, zero bool) {
	f.leaves = append(f.leaves, leaf{path: p, value: value, zero: zero})
}

func (f *flattener) object(p hclspec.Path, v reflect.Value) {
	// In YAML, a storage without a storage block refers to the claim with the
	// same name.
	if s, ok := v.Interface().(hclspec.Storage); ok && s.Claim == s.Name {
		s.Claim = ""
		v = reflect.ValueOf(s)
	}
	for i, s := range spellingsOf(v.Type()) {
		switch {
		case s.omit != "":
		case s.inline:
			f.field(p, p, v.Field(i), s)
		default:
			f.field(p, p.Attr(s.path), v.Field(i), s)
		}
	}
}

// field adds a field. at is its path, and parent is the path of the enclosing
// object.
func (f *flattener) field(parent, at hclspec.Path, v reflect.Value, s spelling) {
	switch v.Kind() {
	case reflect.Struct:
		f.object(at, v)
	case reflect.Pointer:
		f.pointer(at, v)
	case reflect.Slice:
		if isObject(v.Type().Elem()) {
			f.objects(parent, at, v, s)
			return
		}
		for i := range v.Len() {
			f.add(at.Index(i), canonical(v.Index(i)), false)
		}
	case reflect.Map:
		f.entries(at, v, s.attributes)
	default:
		if s.seconds {
			d := hclspec.Duration(time.Duration(v.Int()) * time.Second)
			f.add(at, d.String(), v.IsZero())
			return
		}
		f.add(at, canonical(v), v.IsZero())
	}
}

// pointer adds the value to which a pointer refers. A nil pointer is an
// absent field.
func (f *flattener) pointer(at hclspec.Path, v reflect.Value) {
	switch {
	case v.IsNil():
	case v.Type().Elem().Kind() == reflect.Struct:
		f.object(at, v.Elem())
	default:
		f.add(at, canonical(v.Elem()), false)
	}
}

// objects appends a numeric suffix to a repeated key, so that no two elements
// have the same path.
func (f *flattener) objects(parent, at hclspec.Path, list reflect.Value, s spelling) {
	used := map[string]int{}
	var order []any
	for i := range list.Len() {
		element := reflect.Indirect(list.Index(i))
		if s.key == "" {
			f.object(at.Index(i), element)
			continue
		}
		key := f.relative(s.key, element.FieldByName(s.key).String())
		if used[key]++; used[key] > 1 {
			key += "#" + strconv.Itoa(used[key])
		}
		order = append(order, key)
		if s.value != "" {
			f.add(at.Key(key), canonical(element.FieldByName(s.value)), false)
			continue
		}
		f.object(at.Key(key), element)
	}
	if s.order != "" && len(order) > 1 {
		f.add(parent.Attr(s.order), order, false)
	}
}

// entries adds the entries of a map, including entries in nested free-form
// values.
func (f *flattener) entries(at hclspec.Path, m reflect.Value, attributes bool) {
	keys := make([]string, 0, m.Len())
	for _, k := range m.MapKeys() {
		keys = append(keys, k.String())
	}
	slices.Sort(keys)
	for _, k := range keys {
		p := at.Key(k)
		if attributes {
			p = at.Attr(k)
		}
		f.addDynamic(p, canonical(m.MapIndex(reflect.ValueOf(k))))
	}
}

// addDynamic adds each map entry and list element of a free-form value
// separately.
func (f *flattener) addDynamic(p hclspec.Path, value any) {
	switch v := value.(type) {
	case map[string]any:
		if len(v) > 0 {
			f.entries(p, reflect.ValueOf(v), false)
			return
		}
	case []any:
		if len(v) > 0 {
			for i, element := range v {
				f.add(p.Index(i), element, false)
			}
			return
		}
	}
	f.add(p, value, false)
}

func isObject(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.Kind() == reflect.Struct
}

// canonical converts a value to the Go types that a leaf uses.
func canonical(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Invalid:
		return nil
	case reflect.Interface:
		return canonical(v.Elem())
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int32, reflect.Int64:
		return json.Number(strconv.FormatInt(v.Int(), 10))
	case reflect.Float64:
		return json.Number(strconv.FormatFloat(v.Float(), 'g', -1, 64))
	case reflect.String:
		return canonicalString(v)
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = canonical(v.Index(i))
		}
		return list
	case reflect.Map:
		m := make(map[string]any, v.Len())
		for _, k := range v.MapKeys() {
			m[k.String()] = canonical(v.MapIndex(k))
		}
		return m
	}
	panic("planner: a resolved job cannot contain a " + v.Type().String())
}

func canonicalString(v reflect.Value) any {
	switch n := v.Interface().(type) {
	case hclspec.Number:
		if n.InJSON() {
			return json.Number(n)
		}
		return string(n)
	case json.Number:
		return n
	}
	return v.String()
}
