package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

// address reads an address from the command line, where a label is short for the
// address of a job: "mnist" for job.mnist, `exp["a*"]` for job.exp["a*"].
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

// choose keeps the jobs that were named, by address, label or pattern, each
// once; all of them when none was. A name that fits nothing is a diagnostic.
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
		return fmt.Sprintf("There is no job %q: the workspace has none. Apply it first.", input)
	}
	var known []string
	for _, j := range all {
		known = append(known, strings.TrimPrefix(string(j.Address), "job."))
	}
	slices.Sort(known)
	return fmt.Sprintf("There is no job %q. Known are: %s.%s", input, strings.Join(known, ", "), hclspec.Suggest(strings.TrimPrefix(input, "job."), known))
}
