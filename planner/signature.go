// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
)

// shared returns the fields that occur in all changes of a group; cause is
// the cause of the group.
func shared(cause hclspec.Address, changes []*Change) []FieldChange {
	count := map[string]int{}
	for _, c := range changes {
		all := signatures(cause, c.Fields)
		slices.Sort(all)
		for _, s := range slices.Compact(all) {
			count[s]++
		}
	}
	var all []FieldChange
	for _, f := range changes[0].Fields {
		if s := signature(cause, f); count[s] == len(changes) {
			count[s] = 0 // add a field once, even if several task roles have it
			f.Path = relative(cause, f)
			all = append(all, f)
		}
	}
	return all
}

func signatures(cause hclspec.Address, fields []FieldChange) []string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = signature(cause, f)
	}
	return all
}

// signature returns a key that is the same for changed fields with the same
// relative path, values and effect.
func signature(cause hclspec.Address, f FieldChange) string {
	return string(plainjson.MustMarshal([]any{relative(cause, f), f.Before, f.After, f.BeforeKnown, f.AfterKnown, f.Effect}))
}

// relative returns the path of a field for comparison with other fields. The
// path is relative to the task role if several task roles may use the
// declaration of the field. The path has no instance key if the cause of the
// group is a declaration with several instances.
func relative(cause hclspec.Address, f FieldChange) hclspec.Path {
	_, field, ok := inTaskRole(f.Path)
	if !ok || f.Cause == "" || isInput(f.Cause) && !strings.HasPrefix(field, "prerequisites[") {
		return f.Path
	}
	if f.Cause != cause && f.Cause.Declaration() == cause {
		return WithoutInstance(hclspec.Path(field))
	}
	return hclspec.Path(field)
}

// shape returns a key for the changed fields and effects. The key does not
// depend on values or instance keys.
func shape(fields []FieldChange) string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = string(plainjson.MustMarshal([]any{WithoutInstance(f.Path), f.Before == nil, f.After == nil, f.BeforeKnown, f.AfterKnown, f.Effect}))
	}
	slices.Sort(all) // the order of prerequisite instances depends on their keys
	return strings.Join(all, "\n")
}

// WithoutInstance replaces the prerequisite instance in the path p with its
// declaration.
func WithoutInstance(p hclspec.Path) hclspec.Path {
	const list = "prerequisites"
	role, field, ok := inTaskRole(p)
	if !ok {
		field = string(p)
	}
	key, within := elementKey(field, list)
	if !within {
		return p
	}
	name, values, template := strings.Cut(key, "{")
	if template {
		values = "{" + values
	}
	declaration := hclspec.Address(name).Declaration()
	out := hclspec.Path(list).Key(string(declaration)+values) + hclspec.Path(field[len(hclspec.Path(list).Key(key)):])
	if !ok {
		return out
	}
	return hclspec.Path("task_role").Key(role) + "." + out
}
