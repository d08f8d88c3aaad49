// SPDX-License-Identifier: MPL-2.0

package policy

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

// valueBytes is the assumed size of a value without its content, in bytes.
const valueBytes = 16

// follow returns the value that the attributes in a traversal select. It
// stops at the first step that is not an attribute of a known object.
func follow(v cty.Value, t hcl.Traversal) cty.Value {
	for _, step := range t[1:] {
		attribute, ok := step.(hcl.TraverseAttr)
		if !ok || !v.IsKnown() || v.IsNull() || !v.Type().IsObjectType() || !v.Type().HasAttribute(attribute.Name) {
			return v
		}
		v = v.GetAttr(attribute.Name)
	}
	return v
}

// size returns the approximate size in memory, in bytes. It stops counting
// above the limit.
func size(v cty.Value, limit int) int {
	total := valueBytes
	switch {
	case !v.IsKnown() || v.IsNull():
	case v.Type() == cty.String:
		total += len(v.AsString())
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next() && total <= limit; {
			_, element := it.Element()
			total += size(element, limit-total)
		}
	}
	return total
}
