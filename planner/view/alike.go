package view

import (
	"math"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// maxAlike is the number of warnings of one kind that are shown. A workspace
// of many jobs has the same one for each.
const maxAlike = 3

// everyOne is for a view that shows all of them.
const everyOne = math.MaxInt

// omitted counts the warnings of one kind that are not shown.
type omitted struct {
	code, summary string
	count         int
}

// alike splits diagnostics, each part in the same order: the warnings that are
// shown, limit of each kind, what is omitted of them, and the errors.
func alike(diags []*folded, limit int) (warnings []*folded, omissions []*omitted, errors []*folded) {
	seen, byCode := map[string]int{}, map[string]*omitted{}
	for _, d := range diags {
		code := hclspec.Code(d.Diagnostic)
		switch {
		case d.Severity != hcl.DiagWarning:
			errors = append(errors, d)
		case code == "" || seen[code] < limit:
			seen[code]++
			warnings = append(warnings, d)
		case byCode[code] == nil:
			byCode[code] = &omitted{code: code, summary: d.Summary, count: 1}
			omissions = append(omissions, byCode[code])
		default:
			byCode[code].count++
		}
	}
	return warnings, omissions, errors
}
