// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"encoding/json"
	"math"
	"reflect"
	"strconv"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
	"github.com/openpai/terraform-provider-openpai/provider/terraformplan"
)

// Placeholders for strings that Terraform does not show.
const (
	sensitiveText = "(sensitive value)"
	changedText   = "(sensitive value, changed)"
	unknownText   = "(known after apply)"
)

// side is one side of a change. It contains the same value in two forms: with
// the type of the resource, and as JSON. The JSON value is nil if the side
// does not exist.
type side struct {
	value tftypes.Value
	top   map[string]any
}

// newSide hides a value on both sides if the value is sensitive on either side.
// A value that does not match the resource type becomes null: a different
// provider version may have written the value.
func newSide(typ tftypes.Type, m masking, n node) side {
	s := side{value: m.value(typ, n)}
	s.top, _ = m.tree(n).(map[string]any)
	return s
}

func sidesOf(typ tftypes.Type, v terraformplan.Values) (before, after side) {
	was, is := treeOf(v.Before), treeOf(v.After)
	before = newSide(typ, masking{}, node{tree: was, sensitive: v.BeforeSensitive, otherSensitive: v.AfterSensitive})
	after = newSide(typ, masking{compare: was != nil}, node{tree: is, earlier: was, unknown: v.AfterUnknown, sensitive: v.AfterSensitive, otherSensitive: v.BeforeSensitive})
	return before, after
}

func treeOf(text json.RawMessage) any {
	tree, err := shape.ParseJSON(text)
	if err != nil {
		return nil
	}
	return withoutHugeNumbers(tree)
}

// withoutHugeNumbers drops numbers with absolute values above 1e18. A larger
// number can have enough digits to exhaust the memory, and only an attacker
// would write such a number.
func withoutHugeNumbers(tree any) any {
	switch t := tree.(type) {
	case hclspec.Number:
		if n, err := strconv.ParseFloat(string(t), 64); err != nil || math.Abs(n) > 1e18 {
			return nil
		}
	case map[string]any:
		for key, e := range t {
			t[key] = withoutHugeNumbers(e)
		}
	case []any:
		for i, e := range t {
			t[i] = withoutHugeNumbers(e)
		}
	}
	return tree
}

// node is a value with its marks.
type node struct {
	tree, earlier, unknown, sensitive, otherSensitive any
}

func (n node) hidden() bool    { return n.sensitive == true || n.otherSensitive == true }
func (n node) isUnknown() bool { return n.unknown == true }

func (n node) key(key string) node {
	return node{member(n.tree, key), member(n.earlier, key), member(n.unknown, key), member(n.sensitive, key), member(n.otherSensitive, key)}
}

func (n node) index(i int) node {
	return node{element(n.tree, i), element(n.earlier, i), element(n.unknown, i), element(n.sensitive, i), element(n.otherSensitive, i)}
}

func member(tree any, key string) any {
	object, _ := tree.(map[string]any)
	return object[key]
}

func element(tree any, i int) any {
	if list, _ := tree.([]any); i < len(list) {
		return list[i]
	}
	return nil
}

// masking replaces sensitive and unknown values with placeholders. Values
// that cannot hold a placeholder become unknown or null.
type masking struct {
	compare bool // whether placeholders show that a value differs from the earlier side
}

// text returns the placeholder of a hidden string; it returns false if the
// string is shown.
func (m masking) text(n node) (string, bool) {
	switch {
	case n.isUnknown() && !n.hidden() && isDefinitionTree(n.earlier):
		return n.earlier.(string), true // the definition is probably unchanged, and its parts are compared
	case n.isUnknown() && !n.hidden():
		return unknownText, true
	case !n.hidden() || n.tree == nil && !n.isUnknown():
		return "", false
	case m.compare && (n.isUnknown() || !reflect.DeepEqual(n.tree, n.earlier)):
		return changedText, true
	}
	return sensitiveText, true
}

func isDefinitionTree(tree any) bool {
	text, ok := tree.(string)
	return ok && isDefinition(text)
}

// value converts a node to a value of a schema type. A sensitive value other
// than a string becomes unknown if changed, otherwise null.
func (m masking) value(typ tftypes.Type, n node) tftypes.Value {
	if typ.Is(tftypes.String) {
		if text, ok := m.text(n); ok {
			return stringValue(text)
		}
	} else if n.isUnknown() || n.hidden() {
		if n.isUnknown() || m.compare && !reflect.DeepEqual(n.tree, n.earlier) {
			return unknownValue(typ)
		}
		return tftypes.NewValue(typ, nil)
	}
	if typ.Is(tftypes.DynamicPseudoType) {
		return shape.Dynamic(m.tree(n))
	}
	switch t := typ.(type) {
	case tftypes.Object:
		if _, ok := n.tree.(map[string]any); ok {
			return m.object(t, n)
		}
	case tftypes.Map:
		if object, ok := n.tree.(map[string]any); ok {
			return m.mapping(t, object, n)
		}
	case tftypes.List:
		if list, ok := n.tree.([]any); ok {
			return m.list(t, list, n)
		}
	}
	if v, err := shape.Value(n.tree, typ); err == nil && isPrimitive(typ) {
		return v
	}
	return tftypes.NewValue(typ, nil)
}

func isPrimitive(typ tftypes.Type) bool {
	return typ.Is(tftypes.String) || typ.Is(tftypes.Number) || typ.Is(tftypes.Bool)
}

func (m masking) object(t tftypes.Object, n node) tftypes.Value {
	values := make(map[string]tftypes.Value, len(t.AttributeTypes))
	for name, typ := range t.AttributeTypes {
		values[name] = m.value(typ, n.key(name))
	}
	return tftypes.NewValue(t, values)
}

func (m masking) mapping(t tftypes.Map, object map[string]any, n node) tftypes.Value {
	values := map[string]tftypes.Value{}
	for _, key := range keysOf(object, n.unknown) {
		values[key] = m.value(t.ElementType, n.key(key))
	}
	return tftypes.NewValue(t, values)
}

func (m masking) list(t tftypes.List, list []any, n node) tftypes.Value {
	values := make([]tftypes.Value, len(list))
	for i := range list {
		values[i] = m.value(t.ElementType, n.index(i))
	}
	return tftypes.NewValue(t, values)
}

// keysOf returns the keys of an object. It includes the keys of unknown
// values, which Terraform omits from the object.
func keysOf(object map[string]any, unknown any) []string {
	keys := map[string]bool{}
	for key := range object {
		keys[key] = true
	}
	all, _ := unknown.(map[string]any)
	for key, u := range all {
		if u == true {
			keys[key] = true
		}
	}
	return sortedKeys(keys)
}

// tree replaces hidden and unknown values of any type with the placeholders
// from text.
func (m masking) tree(n node) any {
	if text, ok := m.text(n); ok {
		return text
	}
	switch t := n.tree.(type) {
	case map[string]any:
		object := map[string]any{}
		for _, key := range keysOf(t, n.unknown) {
			object[key] = m.tree(n.key(key))
		}
		return object
	case []any:
		list := make([]any, len(t))
		for i := range t {
			list[i] = m.tree(n.index(i))
		}
		return list
	}
	return n.tree
}
