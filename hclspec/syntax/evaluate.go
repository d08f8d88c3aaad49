// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"encoding/json"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/zclconf/go-cty/cty"
)

// node is the value of an expression. For a list or object literal, the node
// also contains the positions of the parts.
type node struct {
	// value has no marks. After a failed evaluation, which already reported
	// the error, value is unknown.
	value cty.Value
	at    hcl.Range
	// spelling is the source text of a number, or "" for other expressions.
	spelling string
	// list contains the elements of a list literal, otherwise nil. object
	// contains the parts of an object literal, otherwise nil.
	list   []*node
	object []part
}

// part is a key-value pair of an object.
type part struct {
	key   string
	keyAt hcl.Range
	value *node
}

// node evaluates an expression. Each element of a list or object literal has
// its own node.
func (s *scope) node(expr hcl.Expression, fr frame) *node {
	if elements, diags := hcl.ExprList(expr); !diags.HasErrors() {
		n := &node{at: expr.Range(), list: []*node{}}
		values := make([]cty.Value, 0, len(elements))
		for _, e := range elements {
			element := s.node(e, fr)
			n.list = append(n.list, element)
			values = append(values, element.value)
		}
		n.value = cty.TupleVal(values)
		return n
	}
	if pairs, diags := hcl.ExprMap(expr); !diags.HasErrors() {
		return s.objectNode(expr, pairs, fr)
	}
	value, ok := s.evaluate(expr, fr)
	n := &node{value: cty.DynamicVal, at: expr.Range()}
	if ok && s.tagsIntact(value, n.at) {
		n.value = s.declaredSecrets(value, n.at)
	}
	n.spelling = s.spelling(expr)
	return n
}

func (s *scope) objectNode(expr hcl.Expression, pairs []hcl.KeyValuePair, fr frame) *node {
	n := &node{at: expr.Range(), object: []part{}}
	values, places := map[string]cty.Value{}, map[string]hcl.Range{}
	for _, p := range pairs {
		value := s.node(p.Value, fr)
		key := s.node(p.Key, fr)
		name, ok := stringOf(key.value, key.spelling)
		if !ok {
			if key.value.IsWhollyKnown() {
				s.decoder.report(hclspec.WrongType.At(key.at, "An object key must be a string, but this key is %s.", describe(key.value)))
			}
			continue
		}
		if first, twice := places[name]; twice {
			s.decoder.report(hclspec.DuplicateDeclaration.At(key.at, "The key %q is already set at %s.", name, formatPosition(first)))
			continue
		}
		places[name], values[name] = key.at, value.value
		n.object = append(n.object, part{name, key.at, value})
	}
	n.value = cty.ObjectVal(values)
	return n
}

// evaluate returns the value of an expression with its marks. If the evaluation
// fails, it reports the error and returns false.
func (s *scope) evaluate(expr hcl.Expression, fr frame) (cty.Value, bool) {
	if text, ok := s.plainJSON(expr.Range()); ok {
		return cty.StringVal(text), true
	}
	ctx := s.context(expr, fr)
	if ctx == nil || s.hasSecretKey(expr, ctx) {
		return cty.DynamicVal, false
	}
	value, diags := s.decoder.value(expr, ctx)
	s.decoder.report(diags...)
	if diags.HasErrors() || s.branchesOnSecret(expr, ctx) {
		return cty.DynamicVal, false
	}
	if valueSize(value, maxValueBytes) > maxValueBytes {
		s.decoder.report(hclspec.ResultTooLarge.At(expr.Range(), "The result of this expression exceeds %d MiB.", maxValueBytes>>20))
		return cty.DynamicVal, false
	}
	return value, true
}

// plainJSON returns the value of a JSON string that is not a template. HCL
// would parse a template, which is slow for many lines.
func (s *scope) plainJSON(at hcl.Range) (text string, ok bool) {
	src := at.SliceBytes(s.decoder.files[at.Filename])
	if !isJSON(at.Filename) || len(src) == 0 || src[0] != '"' || json.Unmarshal(src, &text) != nil {
		return "", false
	}
	return text, !strings.Contains(text, "${") && !strings.Contains(text, "%{")
}

// withoutScope removes variables from diagnostics, because HCL might print
// their values.
func withoutScope(diags hcl.Diagnostics) hcl.Diagnostics {
	for _, d := range diags {
		d.Expression, d.EvalContext = nil, nil
	}
	return diags
}

// maxValueBytes is the maximum size of a computed value. Without the limit, a
// few dozen steps that each double a value exhaust the memory.
const maxValueBytes = 4 << 20

// valueSize returns the approximate memory size in bytes. It stops when the
// size exceeds the limit.
func valueSize(v cty.Value, limit int) int {
	v, _ = v.Unmark()
	total := 16 // overhead of a value
	if !v.IsKnown() || v.IsNull() {
		return total
	}
	if v.Type() == cty.String {
		return total + len(v.AsString())
	}
	if !v.CanIterateElements() {
		return total
	}
	for it := v.ElementIterator(); it.Next() && total <= limit; {
		key, element := it.Element()
		// In a set, the key is the element, which can be unknown or null.
		if v.Type().IsMapType() || v.Type().IsObjectType() {
			total += len(key.AsString())
		}
		total += valueSize(element, limit-total)
	}
	return total
}
