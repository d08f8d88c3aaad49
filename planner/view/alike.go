package view

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// maxAlike is the number of warnings of one kind that are shown. A workspace
// of many jobs has the same one for each.
const maxAlike = 3

// omitted counts the warnings of one kind that are not shown.
type omitted struct {
	code, summary string
	count         int
}

// alike splits findings, each part in the same order: the warnings that are
// shown, what is left out of them, and the errors.
func alike(diags hcl.Diagnostics) (warnings hcl.Diagnostics, more []*omitted, errors hcl.Diagnostics) {
	seen, left := map[string]int{}, map[string]*omitted{}
	for _, d := range diags {
		code := hclspec.Code(d)
		switch {
		case d.Severity != hcl.DiagWarning:
			errors = append(errors, d)
		case code == "" || seen[code] < maxAlike:
			seen[code]++
			warnings = append(warnings, d)
		case left[code] == nil:
			left[code] = &omitted{code: code, summary: d.Summary, count: 1}
			more = append(more, left[code])
		default:
			left[code].count++
		}
	}
	return warnings, more, errors
}
