// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/provider/shape"
)

// severity selects which diagnostics are reported.
type severity int

const (
	errorsOnly    severity = iota // during validation
	allSeverities                 // during planning
)

func report(diags *diag.Diagnostics, found hcl.Diagnostics, places *shape.Places, which severity) {
	for _, d := range hclspec.Phrased(hclspec.Sort(found), phrase) {
		at, placed := places.Attribute(d)
		switch isError := d.Severity == hcl.DiagError; {
		case isError && placed:
			diags.AddAttributeError(at, d.Summary, d.Detail+nestedPath(at))
		case isError:
			diags.AddError(d.Summary, d.Detail)
		case which == errorsOnly:
		case placed:
			diags.AddAttributeWarning(at, d.Summary, d.Detail+nestedPath(at))
		default:
			diags.AddWarning(d.Summary, d.Detail)
		}
	}
}

// obstacles are the codes of problems that prevent a replacement.
var obstacles = []string{"secret-unavailable", "permission-missing", "claim-not-found", "storage-not-permitted"}

func isObstacle(d *hcl.Diagnostic) bool { return slices.Contains(obstacles, hclspec.Code(d)) }

// destroyAdvice is appended to a storage error that also prevents a destroy.
const destroyAdvice = " To destroy the resources instead, use destroy with -refresh=false."

// withDestroy adds the hint -refresh=false to each obstacle that is an error.
// Without this flag, destroy plans the configuration first and reports the
// same errors.
func withDestroy(found hcl.Diagnostics) hcl.Diagnostics {
	all := slices.Clone(found)
	for i, d := range all {
		if d.Severity == hcl.DiagError && isObstacle(d) {
			advised := *d
			advised.Detail, advised.Extra = hclspec.Detail(d, phrase)+" To destroy the job instead, use destroy with -refresh=false.", nil
			all[i] = &advised
		}
	}
	return all
}

// nestedPath returns a sentence with the path of a nested attribute, or "" for a
// top-level attribute. For nested attributes, Terraform shows only the line of the
// resource.
func nestedPath(at path.Path) string {
	if len(at.Steps()) < 2 {
		return ""
	}
	return "\n\nAt " + at.String() + "."
}

// withoutUndecided omits diagnostics about unknown values and about parts that
// contain them. It keeps diagnostics about the whole resource, because they
// report cluster problems.
func withoutUndecided(found hcl.Diagnostics, d *shape.Decoder) hcl.Diagnostics {
	var open []string
	for _, p := range d.Unknown {
		open = append(open, d.Places.Sources.Range(p).Filename)
	}
	isOpen := func(at string) bool {
		return isWithin(at, open) || at != "" && slices.ContainsFunc(open, func(o string) bool { return isWithin(o, []string{at}) })
	}
	kept := found[:0:0]
	for _, f := range found {
		if f.Subject == nil || !isOpen(f.Subject.Filename) {
			kept = append(kept, f)
		}
	}
	return kept
}

// isWithin reports whether path equals one of the outer paths or is nested in
// one of them.
func isWithin(path string, outer []string) bool {
	for _, o := range outer {
		rest, ok := strings.CutPrefix(path, o)
		if ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}
