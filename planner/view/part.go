// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"slices"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// causeTitle returns a title such as "prerequisite.script.env changed → 12
// jobs are replaced, 12 running tasks end".
func causeTitle(g planner.Group) string {
	var effects []string
	for _, p := range byAction(g.Parts()) {
		effect := consequences(p)
		if impact := Impact(p.Impact); impact != "" {
			effect += ", " + impact
		}
		effects = append(effects, effect)
	}
	return fmt.Sprintf("%s %s → %s", clean(string(g.Cause)), g.CauseKind, strings.Join(effects, "; "))
}

// byAction merges parts with the same action and Outdated value. It does not
// merge updates, because their impacts contain task roles. If only some of
// the merged parts end running work, the merged impact counts only the
// running tasks of these parts.
func byAction(parts []planner.Part) []planner.Part {
	var all []planner.Part
	for _, p := range parts {
		i := slices.IndexFunc(all, func(m planner.Part) bool {
			return m.Action == p.Action && m.Outdated == p.Outdated && p.Action != planner.Update
		})
		if i < 0 {
			all = append(all, p)
			continue
		}
		merged := &all[i]
		merged.Members = slices.Concat(merged.Members, p.Members)
		switch {
		case merged.Impact.Code == p.Impact.Code:
			merged.Impact.Tasks += p.Impact.Tasks
		case merged.Impact.Tasks < p.Impact.Tasks:
			merged.Impact = p.Impact
		}
	}
	return all
}

// showsImpacts reports whether each part shows its impact. If it returns
// false, the title of the group shows all impacts.
func showsImpacts(g planner.Group, parts []planner.Part) bool {
	return g.Cause == "" || len(byAction(parts)) < len(parts)
}

func consequences(p planner.Part) string {
	n := len(p.Members)
	jobs := quantity.Count(n, "job")
	switch p.Action {
	case planner.Create:
		return jobs + quantity.Plural(n, " is created", " are created")
	case planner.Update:
		return jobs + quantity.Plural(n, " is changed in place", " are changed in place")
	case planner.Replace:
		return jobs + quantity.Plural(n, " is replaced", " are replaced")
	case planner.Delete:
		return jobs + quantity.Plural(n, " is deleted", " are deleted")
	}
	if p.Outdated {
		return quantity.Count(n, "finished job") + quantity.Plural(n, " is outdated", " are outdated")
	}
	return jobs + quantity.Plural(n, " stays", " stay")
}

func partJobs(p planner.Part) string { return Jobs(addresses(p.Members)) }

func addresses(members []planner.Member) []hclspec.Address {
	all := make([]hclspec.Address, len(members))
	for i, m := range members {
		all[i] = m.Change.Address
	}
	return all
}
