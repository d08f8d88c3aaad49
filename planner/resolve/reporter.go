package resolve

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// reporter collects the diagnostics of one job and bounds its size. Every stage
// of the resolver has it; it knows none of them.
type reporter struct {
	job    string // its name
	syntax hclspec.Syntax
	// sources has the positions of the workspace.
	sources hclspec.SourceMap
	// strict makes references without a value errors.
	strict bool
	diags  hcl.Diagnostics
	size   int // bytes of strings that were filled in, see grow
}

// report adds a diagnostic about a value of this workspace.
func (r *reporter) report(e *hclspec.Entry, path hclspec.Path, format string, args ...any) {
	r.reportAt(e, r.sources.Range(path), format, args...)
}

func (r *reporter) reportAt(e *hclspec.Entry, rng hcl.Range, format string, args ...any) {
	r.diags = append(r.diags, e.At(rng, format, args...))
}

// severity chooses the error for jobs written in our own language, and the
// warning for those written for OpenPAI.
func (r *reporter) severity(strict, imported *hclspec.Entry) *hclspec.Entry {
	if r.strict {
		return strict
	}
	return imported
}

// independentEntries are the diagnostics about resolved jobs that are true whatever else
// could not be read.
var independentEntries = []*hclspec.Entry{
	hclspec.PrerequisiteCycle, hclspec.UnknownPrerequisite, AmbiguousPrerequisite, hclspec.WrongPrerequisiteType,
	UnknownEvent, UnknownPlugin, hclspec.ReservedVariable, hclspec.InvalidVariableName,
	hclspec.StorageConflict, hclspec.InvalidMountPath,
}

// Independent keeps those of the diagnostics about resolved jobs that do not
// merely follow from errors in what was read, or repeat them: all when there
// was none.
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
