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

// AttributeTo sets variables of the workspace as the cause of the changed fields
// that would not change if the variables still had the values with which the job
// was applied. earlier is the job that the files declare with these values, and
// live is the job as applied. A field that already has variables as its cause
// keeps them, so the caller tries smaller sets of variables first.
//
// A list counts as a whole: if one element would still change, the positions of
// the others may differ, so none has the cause.
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
