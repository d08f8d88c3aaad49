// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner/resolve"
)

func (p *planning) targeted(job *resolve.Job) bool {
	return len(p.o.Targets) == 0 || slices.ContainsFunc(p.o.Targets, func(t hclspec.Address) bool {
		return TargetedBy(job, t)
	})
}

// TargetedBy reports whether a target includes a declared job. A target matches the
// job itself, or a prerequisite or storage that the job uses.
func TargetedBy(job *resolve.Job, target hclspec.Address) bool {
	return job.Address.Matches(target) || uses(job, target)
}

// usedByTarget returns false if the applied version of the job is unknown.
func (p *planning) usedByTarget(target hclspec.Address, live *LiveJob) bool {
	return live.Applied != nil && uses(live.Applied, target)
}

func (p *planning) rerun(address hclspec.Address) bool {
	return p.o.RepeatOf[address] > 0 || matchesAny(address, p.o.Rerun)
}

func (p *planning) mustReplace(address hclspec.Address) bool { return matchesAny(address, p.o.Replace) }

func matchesAny(address hclspec.Address, patterns []hclspec.Address) bool {
	return slices.ContainsFunc(patterns, func(a hclspec.Address) bool { return address.Matches(a) })
}

// uses reports whether a job uses a prerequisite or storage. It returns false
// for module addresses, which refer to the jobs in the module.
func uses(job *resolve.Job, address hclspec.Address) bool {
	return !address.IsModule() && slices.ContainsFunc(parts(job), func(part hclspec.Address) bool { return part.Matches(address) })
}

// parts returns the addresses of all declarations that a job uses.
func parts(job *resolve.Job) []hclspec.Address {
	var all []hclspec.Address
	for _, role := range job.TaskRoles {
		if role.Image.Address != "" {
			all = append(all, hclspec.Address(role.Image.Address))
		}
		for _, step := range role.Steps {
			all = append(all, hclspec.Address(step.Address))
		}
		for _, mount := range role.Mounts {
			all = append(all, mountedStorage(mount))
		}
	}
	return all
}

func mountedStorage(m *resolve.Mount) hclspec.Address {
	if m.Address != "" {
		return hclspec.Address(m.Address)
	}
	return hclspec.NewAddress("storage", m.Storage)
}

// checkAddresses reports addresses in Targets and Rerun that the workspace
// does not have.
func (p *planning) checkAddresses() {
	known := p.known()
	check := func(addresses []hclspec.Address, known []string) {
		for _, a := range addresses {
			if !slices.ContainsFunc(known, func(k string) bool { return hclspec.Address(k).Matches(a) }) {
				p.find(UnknownAddress.At(hcl.Range{},
					"The address %s does not exist in the workspace.%s", hclspec.Quote(string(a)), cmp.Or(hclspec.SuggestAddress(a, known), existing(a, known))))
			}
		}
	}
	check(p.o.Targets, known)
	check(p.o.Rerun, slices.DeleteFunc(known, func(k string) bool { return !strings.HasPrefix(hclspec.Address(k).Local().String(), "job") }))
}

// existing returns a sentence that lists the known addresses of the same kind
// as unknown. If there are none, the sentence lists all known addresses.
func existing(unknown hclspec.Address, known []string) string {
	kind, _, _ := strings.Cut(unknown.Local().String(), ".")
	alike := slices.DeleteFunc(slices.Clone(known), func(k string) bool {
		return !strings.HasPrefix(hclspec.Address(k).Local().String(), kind+".")
	})
	switch {
	case len(known) == 0:
		return " The workspace has no jobs."
	case len(alike) == 0:
		alike = known
	}
	return " Existing addresses: " + quantity.List(alike, "name") + "."
}

// known returns the sorted addresses of the declared jobs, the declarations
// that they use, and the live jobs.
func (p *planning) known() []string {
	var all []string
	for _, job := range p.o.Jobs {
		all = append(all, string(job.Address))
		for _, part := range parts(job) {
			all = append(all, string(part))
		}
	}
	for _, s := range p.o.Live {
		for _, live := range s.Jobs {
			if p.owned(live) {
				all = append(all, string(live.Address))
			}
		}
	}
	slices.SortFunc(all, hclspec.CompareNatural)
	return slices.Compact(all)
}
