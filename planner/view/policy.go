// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// policies returns a sentence with the results of the policies, or "" for a
// plan without policies.
func policies(p *planner.Plan) string {
	if len(p.Policies) == 0 {
		return ""
	}
	var denied, warned []string
	for _, r := range p.Policies {
		switch {
		case r.Denies():
			denied = append(denied, verdict(r))
		case r.Violations > 0:
			warned = append(warned, verdict(r))
		}
	}
	text := fmt.Sprintf("%d %s checked", len(p.Policies), quantity.Plural(len(p.Policies), "policy", "policies"))
	if len(denied) > 0 {
		text += "; denied by " + strings.Join(denied, ", ")
	}
	if len(warned) > 0 {
		text += "; warnings of " + strings.Join(warned, ", ")
	}
	return text + "."
}

// verdict returns a policy name and its violations, such as "pinned_images (2
// of 3)".
func verdict(r planner.PolicyResult) string {
	if r.Failed {
		return r.Name + " (cannot be evaluated)"
	}
	return fmt.Sprintf("%s (%d of %d)", r.Name, r.Violations, r.Checked)
}

// policyJSON is the result of a policy.
type policyJSON struct {
	Name       string `json:"name"`
	Directory  string `json:"directory,omitempty" doc:"Directory of the policy; absent for a workspace policy"`
	Level      string `json:"level" doc:"deny or warn"`
	Denies     bool   `json:"denies" doc:"Whether the policy denies the plan"`
	Checked    int    `json:"checked" doc:"Number of checked jobs, task roles or other objects"`
	Violations int    `json:"violations" doc:"Number of objects that violate the policy"`
}

func policiesJSON(p *planner.Plan) []policyJSON {
	all := make([]policyJSON, len(p.Policies))
	for i, r := range p.Policies {
		all[i] = policyJSON{
			Name: r.Name, Directory: r.Directory, Level: r.Level, Denies: r.Denies(), Checked: r.Checked, Violations: r.Violations,
		}
	}
	return all
}
