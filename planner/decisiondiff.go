// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

// DecisionDifference describes the differences between two changes to one job
// that have the same action.
type DecisionDifference struct {
	// Fields lists the job fields whose declared or applied values differ.
	Fields []hclspec.Path
	// Objects lists objects that differ between the two changes, or that only
	// one change has. An entry contains the kind and the name.
	Objects []string
	// Reason, Impact and Drift report whether these parts of the two changes
	// differ.
	Reason, Impact, Drift bool
}

// CompareDecisions returns the difference between two changes to one job.
// [SameDecision] must return false for the two changes.
func CompareDecisions(a, b *Change) DecisionDifference {
	before, after := decisionOf(a), decisionOf(b)
	return DecisionDifference{
		Fields:  changedFields(before, after),
		Objects: unequalObjects(before.Objects, after.Objects),
		Reason:  before.Reason != after.Reason,
		Impact:  before.Impact != after.Impact,
		Drift:   unequal(before.Drift, after.Drift),
	}
}

// changedFields returns fields with different declared values, then fields with
// different applied values. For a setting that plans do not compare, such as
// the user, changedFields returns the JSON key in the job.
func changedFields(a, b decision) []hclspec.Path {
	var all []hclspec.Path
	add := func(p hclspec.Path) {
		if !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	if a.Job != nil && b.Job != nil && unequal(a.Job, b.Job) {
		for _, f := range Differences(a.Job, b.Job) {
			add(f.Path)
		}
		if len(all) == 0 {
			for _, name := range unequalKeys(a.Job, b.Job) {
				add(hclspec.Path(name))
			}
		}
	}
	for _, f := range slices.Concat(without(a.Fields, b.Fields), without(b.Fields, a.Fields)) {
		add(f.Path)
	}
	if a.Framework != b.Framework || a.Replaced != b.Replaced {
		add("name")
	}
	return all
}

func without[T any](a, b []T) []T {
	return slices.DeleteFunc(slices.Clone(a), func(x T) bool {
		return slices.ContainsFunc(b, func(y T) bool { return !unequal(x, y) })
	})
}

func unequal(a, b any) bool {
	return string(plainjson.MustMarshal(a)) != string(plainjson.MustMarshal(b))
}

// unequalKeys returns the JSON keys with different values.
func unequalKeys(a, b *resolve.Job) []string {
	var before, after map[string]json.RawMessage
	for job, into := range map[*resolve.Job]*map[string]json.RawMessage{a: &before, b: &after} {
		if err := json.Unmarshal(plainjson.MustMarshal(job), into); err != nil {
			panic("planner: decode the JSON of a job: " + err.Error())
		}
	}
	all := maps.Clone(before)
	maps.Copy(all, after)
	return slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(k string) bool { return string(before[k]) == string(after[k]) })
}

func unequalObjects(a, b []Object) []string {
	var all []string
	for _, o := range slices.Concat(without(a, b), without(b, a)) {
		if name := o.Kind + " " + o.Name; !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}
