// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// causeTitle returns the change of the cause of a group and its consequences:
// "prerequisite.script.env changed → 12 jobs are replaced, 12 running tasks
// end".
func causeTitle(g planner.Group) string {
	var effects []string
	for _, p := range g.Parts() {
		effect := consequences(p)
		if impact := Impact(p.Impact); impact != "" {
			effect += ", " + impact
		}
		effects = append(effects, effect)
	}
	return fmt.Sprintf("%s %s → %s", clean(string(g.Cause)), g.CauseKind, strings.Join(effects, "; "))
}

// consequences returns a clause about the change of the jobs of a part.
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

// partJobs formats the jobs of a part.
func partJobs(p planner.Part) string { return Jobs(addresses(p.Members)) }

func addresses(members []planner.Member) []hclspec.Address {
	all := make([]hclspec.Address, len(members))
	for i, m := range members {
		all[i] = m.Change.Address
	}
	return all
}
