// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

// address parses an address of the command line. A bare label means a job: "mnist" is
// job.mnist, `exp["a*"]` is job.exp["a*"].
func address(input string) hclspec.Address {
	label, key, instance := strings.Cut(input, "[")
	switch {
	case strings.Contains(label, "."), instance && label == "job":
		return hclspec.Address(input)
	case instance:
		return hclspec.Address("job." + label + "[" + key)
	case strings.ContainsAny(input, "*?"):
		return hclspec.Address("job." + input)
	}
	return hclspec.NewAddress("job", input)
}

// choose returns the jobs that match an address, label or pattern, each once, or all
// jobs without input. Input without a match is a diagnostic.
func choose(all []operation.Job, input []string) ([]operation.Job, hcl.Diagnostics) {
	if len(input) == 0 {
		return all, nil
	}
	var chosen []operation.Job
	var diags hcl.Diagnostics
	for _, g := range input {
		found := false
		for _, j := range all {
			if !j.Address.Matches(address(g)) {
				continue
			}
			found = true
			if !slices.ContainsFunc(chosen, func(c operation.Job) bool { return c.Address == j.Address }) {
				chosen = append(chosen, j)
			}
		}
		if !found {
			diags = append(diags, UnknownJob.At(hcl.Range{}, "%s", unknownJob(g, all)))
		}
	}
	return chosen, diags
}

func unknownJob(input string, all []operation.Job) string {
	if len(all) == 0 {
		return fmt.Sprintf("Job %q does not exist: the workspace has no jobs. Apply it first.", input)
	}
	var known []string
	for _, j := range all {
		known = append(known, strings.TrimPrefix(string(j.Address), "job."))
	}
	slices.SortFunc(known, hclspec.CompareNatural)
	name := strings.TrimPrefix(input, "job.")
	if len(known) > maxListed {
		return fmt.Sprintf("Job %q does not exist. The workspace has %d jobs%s", input, len(known), examples(name, known))
	}
	return fmt.Sprintf("Job %q does not exist. Existing jobs: %s.%s", input, strings.Join(known, ", "), hclspec.Suggest(name, known))
}

// maxSuggested is the maximum number of names that are suggested.
const maxSuggested = 3

// examples ends the sentence about many names with a few of them: those closest to the
// input, or otherwise the first.
func examples(input string, known []string) string {
	if near := hclspec.Closest(input, known, maxSuggested); len(near) > 0 {
		return `. Did you mean "` + strings.Join(near, `" or "`) + `"?`
	}
	return ", for example: " + strings.Join(known[:maxSuggested], ", ") + "."
}
