// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// address parses an address. A bare label means a job: "mnist" is job.mnist, and
// `exp["a*"]` is job.exp["a*"].
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

// choose returns the distinct jobs that match an address, label or pattern in input.
// For an empty input, it returns all jobs. Each input without a match produces a
// diagnostic with suggestions.
func choose(all []operation.Job, declared []hclspec.Address, input []string) ([]operation.Job, hcl.Diagnostics) {
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
			diags = append(diags, UnknownJob.At(hcl.Range{}, "%s", unknownJob(g, all, declared)))
		}
	}
	return chosen, diags
}

func unknownJob(input string, all []operation.Job, declared []hclspec.Address) string {
	if kind, _, _ := strings.Cut(address(input).Local().String(), "."); kind == "prerequisite" || kind == "storage" {
		return fmt.Sprintf("%s is not a job. This command accepts only jobs.", input)
	}
	if i := slices.IndexFunc(declared, func(a hclspec.Address) bool { return a.Matches(address(input)) }); i >= 0 {
		if address(input).IsPattern() {
			input = label(declared[i])
		}
		return fmt.Sprintf("Job %s has not been applied. Apply it first.", hclspec.Quote(input))
	}
	var existing []string
	for _, j := range all {
		existing = append(existing, label(j.Address))
	}
	slices.SortFunc(existing, hclspec.CompareNatural)
	suggestion := suggestJob(input, all, declared)
	problem := fmt.Sprintf("Job %s does not exist.", hclspec.Quote(input))
	if address(input).IsPattern() {
		problem = fmt.Sprintf("No job matches %s.", hclspec.Quote(input))
	}
	if len(all) == 0 {
		return fmt.Sprintf("%s The workspace has no applied jobs.%s", problem, suggestion)
	}
	return fmt.Sprintf("%s Existing jobs: %s.%s", problem, quantity.List(existing, "job"), suggestion)
}

// suggestJob suggests the job whose name on the cluster equals the input. If
// no job has this name, it suggests jobs with similar labels.
func suggestJob(input string, all []operation.Job, declared []hclspec.Address) string {
	var known []string
	for _, j := range all {
		if j.Applied != nil && j.Applied.Name == input {
			return fmt.Sprintf(" Did you mean %s?", hclspec.Quote(label(j.Address)))
		}
		known = append(known, label(j.Address.Like(address(input))))
	}
	for _, a := range declared {
		known = append(known, label(a.Like(address(input))))
	}
	slices.Sort(known)
	return hclspec.Suggest(strings.TrimPrefix(input, "job."), slices.Compact(known))
}

// label returns an address without "job.", in the form that the flag --job
// accepts.
func label(job hclspec.Address) string { return strings.TrimPrefix(string(job), "job.") }
