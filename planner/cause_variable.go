// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// variableKind begins the address of a variable, as expressions refer to it.
const variableKind = "var"

func isVariable(cause hclspec.Address) bool {
	return strings.HasPrefix(string(cause), variableKind+".")
}

// AttributeTo sets variables as the cause of changed fields. These are the fields
// that would not change if the variables still had the values from the last apply.
// earlier is the job that the files declare with those values, and live is the job
// as applied. A field whose cause is already a set of variables keeps it, so the
// caller must try smaller sets first.
//
// A list is one unit: if one element would still change, no element of the list
// gets the cause, because the positions of the other elements may differ.
func (c *Change) AttributeTo(variables []string, earlier *resolve.Job, live *LiveJob) {
	before := newApplied(live)
	if before == nil {
		return
	}
	remain := map[hclspec.Path]bool{}
	for _, f := range fieldChanges(earlier, before) {
		remain[wholeList(f.Path)] = true
	}
	for i, f := range c.Fields {
		if !remain[wholeList(f.Path)] && !isVariable(f.Cause) {
			c.Fields[i].Cause = variableCause(variables)
		}
	}
}

// variableCause returns the cause of a field: "var.epochs" or "var.epochs, var.lr".
func variableCause(variables []string) hclspec.Address {
	all := make([]string, len(variables))
	for i, name := range variables {
		all[i] = hclspec.NewAddress(variableKind, name).String()
	}
	return hclspec.Address(strings.Join(all, ", "))
}

// CausedByVariables reports whether variables are the cause of every changed
// field.
func (c *Change) CausedByVariables() bool {
	return !slices.ContainsFunc(c.Fields, func(f FieldChange) bool { return !isVariable(f.Cause) })
}

// wholeList returns the path of the list that contains an element, or the path
// itself.
func wholeList(p hclspec.Path) hclspec.Path {
	if list, ok := listElement(p); ok {
		return list
	}
	return p
}
