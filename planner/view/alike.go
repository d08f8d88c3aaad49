// SPDX-License-Identifier: MPL-2.0

package view

import (
	"math"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// maxAlike is the maximum number of warnings of each kind that are shown. A
// workspace with many jobs can have the same warning for each job.
const maxAlike = 3

// everyOne is the limit for views that show all warnings.
const everyOne = math.MaxInt

// omitted contains the warnings of one kind that exceed the limit.
type omitted struct {
	code, summary string
	warnings      []*folded
}

// alike separates errors, shown warnings (at most limit per kind) and omitted
// warnings. It preserves the order.
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
			byCode[code] = &omitted{code: code, summary: d.Summary, warnings: []*folded{d}}
			omissions = append(omissions, byCode[code])
		default:
			byCode[code].warnings = append(byCode[code].warnings, d)
		}
	}
	return warnings, omissions, errors
}
