package resolve

import (
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
