// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"reflect"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/zclconf/go-cty/cty"
)

// setDynamic stores any value, or a list or an object with elements of any
// type.
func (r *reader) setDynamic(f *hclspec.Field, n *node, into reflect.Value, path hclspec.Path) bool {
	if n.isNull() || n.failed() {
		return false
	}
	_, isList := n.elements()
	_, isObject := n.parts()
	switch {
	case f.Kind == hclspec.AnyList && !isList:
		r.wrongType(f.Name, "a list", n, "")
		return false
	case f.Kind == hclspec.AnyMap && !isObject:
		r.wrongType(f.Name, "an object", n, "")
		return false
	}
	into.Set(reflect.ValueOf(r.dynamic(n, path)))
	return true
}

// dynamic converts a node to a model value. A value whose evaluation failed
// becomes nil.
func (r *reader) dynamic(n *node, path hclspec.Path) any {
	r.ws.Sources[path] = n.at
	if elements, ok := n.elements(); ok {
		list := make([]any, len(elements))
		for i, e := range elements {
			list[i] = r.dynamic(e, path.Index(i))
		}
		return list
	}
	if parts, ok := n.parts(); ok {
		object := make(map[string]any, len(parts))
		for _, p := range parts {
			object[p.key] = r.dynamic(p.value, path.Key(p.key))
		}
		return object
	}
	switch {
	case n.isReference():
		r.report(hclspec.WrongType.At(n.at, "This is a reference to %s, but only plain values are allowed here. Use the name or address attribute of the reference.", n.attribute("address")))
		return nil
	case !n.known():
		return nil
	case n.value.Type() == cty.Bool:
		return n.value.True()
	}
	text, _ := stringOf(n.value, n.spelling)
	if n.value.Type() == cty.Number {
		return hclspec.Number(text)
	}
	return text
}
