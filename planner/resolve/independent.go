package resolve

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

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
