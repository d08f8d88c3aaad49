// SPDX-License-Identifier: MPL-2.0

package syntax

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// elements returns the elements of a list or set. Elements of a computed list
// have the position of the whole expression.
func (n *node) elements() ([]*node, bool) {
	if n.list != nil {
		return n.list, true
	}
	typ := n.value.Type()
	if !n.known() || !(typ.IsTupleType() || typ.IsListType() || typ.IsSetType()) {
		return nil, false
	}
	all := []*node{}
	for it := n.value.ElementIterator(); it.Next(); {
		_, v := it.Element()
		all = append(all, computed(v, n.at))
	}
	return all, true
}

// parts returns the parts of an object or map. Computed parts are in key
// order. A reference is not an object.
func (n *node) parts() ([]part, bool) {
	if n.object != nil {
		return n.object, true
	}
	typ := n.value.Type()
	if !n.known() || n.isReference() || !(typ.IsObjectType() || typ.IsMapType()) {
		return nil, false
	}
	all := []part{}
	for it := n.value.ElementIterator(); it.Next(); {
		key, v := it.Element()
		all = append(all, part{key.AsString(), n.at, computed(v, n.at)})
	}
	return all, true
}

func computed(v cty.Value, at hcl.Range) *node { return &node{value: v, at: at} }

// known reports whether the value is not null and the evaluation succeeded.
func (n *node) known() bool { return n.value.IsKnown() && !n.value.IsNull() }

// failed reports whether the evaluation failed and reported an error.
func (n *node) failed() bool { return n.list == nil && n.object == nil && !n.value.IsKnown() }

func (n *node) isNull() bool { return n.list == nil && n.object == nil && n.value.IsNull() }

func (n *node) isReference() bool {
	return n.object == nil && n.known() && n.value.Type().Equals(referenceType)
}

func (n *node) attribute(name string) string { return n.value.GetAttr(name).AsString() }
