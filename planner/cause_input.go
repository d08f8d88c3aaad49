// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// isInput reports whether a cause is a variable, a local or a cluster block. Several
// jobs may use an input in different fields.
func isInput(cause hclspec.Address) bool {
	kind, _, _ := strings.Cut(string(cause), ".")
	return kind == "var" || kind == "local" || kind == "cluster"
}

// AttributeTo sets inputs as the cause of changed fields. Inputs are variables, locals
// and cluster blocks. A field qualifies if it would not change with the inputs from
// the last apply. The parameter earlier is the job that the files would declare with
// the earlier inputs. The parameter live is the applied job. AttributeTo does not
// replace a cause that is already a set of inputs, so call it with the preferred sets
// first.
//
// If any element of a list would still change, AttributeTo ignores the whole
// list, because the positions of elements may differ.
func (c *Change) AttributeTo(inputs []hclspec.Address, earlier *resolve.Job, live *LiveJob) {
	before := newApplied(live)
	if before == nil {
		return
	}
	remain := map[hclspec.Path]bool{}
	for _, f := range fieldChanges(earlier, before) {
		remain[wholeList(f.Path)] = true
	}
	for i, f := range c.Fields {
		if !remain[wholeList(f.Path)] && !isInput(f.Cause) {
			c.Fields[i].Cause = inputCause(inputs)
		}
	}
}

// inputCause returns the cause of a field: "var.epochs" or "var.epochs, var.lr".
func inputCause(inputs []hclspec.Address) hclspec.Address {
	all := make([]string, len(inputs))
	for i, input := range inputs {
		all[i] = string(input)
	}
	return hclspec.Address(strings.Join(all, ", "))
}

// CausedByInputs reports whether inputs are the cause of every changed field.
func (c *Change) CausedByInputs() bool {
	return !slices.ContainsFunc(c.Fields, func(f FieldChange) bool { return !isInput(f.Cause) })
}

// wholeList returns the path of the list that contains the element p, or p if
// p is not an element.
func wholeList(p hclspec.Path) hclspec.Path {
	if list, ok := listElement(p); ok {
		return list
	}
	return p
}
