// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// reporter collects the diagnostics of one job. It limits the total size of the
// rendered strings. All stages of the resolver use it.
type reporter struct {
	job    string // name of the job
	syntax hclspec.Syntax
	// sources contains the positions of the workspace.
	sources hclspec.SourceMap
	// strict is set if references without a value are errors.
	strict bool
	diags  hcl.Diagnostics
	size   int // total size of rendered strings in bytes; see grow
}

// report adds a diagnostic for the value at a path in the workspace.
func (r *reporter) report(e *hclspec.Entry, path hclspec.Path, format string, args ...any) {
	d := e.At(r.sources.Range(path), format, args...)
	r.diags = append(r.diags, hclspec.Concerning(hcl.Diagnostics{d}, path, r.job)...)
}

func (r *reporter) reportAt(e *hclspec.Entry, rng hcl.Range, format string, args ...any) {
	r.diags = append(r.diags, e.At(rng, format, args...))
}

// severity returns strict for jobs in HCL or Terraform, and imported for jobs
// written for OpenPAI.
func (r *reporter) severity(strict, imported *hclspec.Entry) *hclspec.Entry {
	if r.strict {
		return strict
	}
	return imported
}

// independentEntries lists the diagnostics that remain valid for a workspace
// with undecodable parts.
var independentEntries = []*hclspec.Entry{
	hclspec.PrerequisiteCycle, hclspec.UnknownPrerequisite, AmbiguousPrerequisite, hclspec.WrongPrerequisiteType,
	UnknownEvent, UnknownPlugin, hclspec.ReservedVariable, hclspec.InvalidVariableName,
	hclspec.StorageConflict, hclspec.InvalidMountPath,
}

// Independent filters the diagnostics in the first list. It omits diagnostics
// that an error in the second list may have caused. It also omits possible
// repetitions of such errors. If the second list has no errors, Independent
// returns the first list unchanged.
func Independent(found, read hcl.Diagnostics) hcl.Diagnostics {
	if !read.HasErrors() {
		return found
	}
	wrong := map[hcl.Range]bool{}
	for _, d := range read {
		if d.Severity == hcl.DiagError && d.Subject != nil {
			wrong[*d.Subject] = true
		}
	}
	var kept hcl.Diagnostics
	for _, d := range found {
		if slices.Contains(independentEntries, hclspec.EntryOf(d)) && (d.Subject == nil || !wrong[*d.Subject]) {
			kept = append(kept, d)
		}
	}
	return kept
}
