// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// TestDiagnosticsOfInstancesAreShownOnce checks that a diagnostic that several for_each
// instances share is shown once.
func TestDiagnosticsOfInstancesAreShownOnce(t *testing.T) {
	t.Parallel()
	place := at("main.pai.hcl", source, "torch")
	find := func(r hcl.Range, format string, n int) hcl.Diagnostics {
		var diags hcl.Diagnostics
		for i := range n {
			diags = append(diags, planner.UnknownAddress.At(r, format, i))
		}
		return diags
	}
	const head = "Error: Unknown address [unknown-plan-address]\n"
	tests := map[string]struct {
		diags hcl.Diagnostics
		o     view.DiagnosticOptions
		want  string
	}{
		"sentences that differ in the key": {
			find(place, `job.exp["%d"] has no x.`, 12), view.DiagnosticOptions{},
			head + "  at main.pai.hcl:2:10\n\n  job.exp[\"0\"] has no x.\n  The same for job.exp[1-11].\n\n",
		},
		"without a place": {
			find(hcl.Range{}, `job.exp["%d"] has no x.`, 3), view.DiagnosticOptions{},
			head + "\n  job.exp[\"0\"] has no x.\n  The same for job.exp[1, 2].\n\n",
		},
		"different sentences about one position": {
			find(place, "%d is not a number.", 14), view.DiagnosticOptions{},
			head + "  at main.pai.hcl:2:10\n\n" + numbers("%d is not a number.", 12) + "  2 more problems at this place.\n\n",
		},
		"different values of instances": {
			find(place, `x of job.exp["%[1]d"] is %[1]d.`, 15), view.DiagnosticOptions{},
			head + "  at main.pai.hcl:2:10\n\n" + numbers(`x of job.exp["%[1]d"] is %[1]d.`, 12) + "  3 more problems at this place, in job.exp[12-14].\n\n",
		},
		"other jobs without a position": {
			find(hcl.Range{}, "job.exp%d has no x.", 2), view.DiagnosticOptions{},
			head + "\n  job.exp0 has no x.\n\n" + head + "\n  job.exp1 has no x.\n\n",
		},
		"every one": {
			find(place, `job.exp["%d"] has no x.`, 2), view.DiagnosticOptions{Detail: true},
			head + "  at main.pai.hcl:2:10\n\n  job.exp[\"0\"] has no x.\n\n" + head + "  at main.pai.hcl:2:10\n\n  job.exp[\"1\"] has no x.\n\n",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := view.Diagnostics(&out, tt.diags, nil, tt.o); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, out.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// numbers returns n lines with the numbers from 0 to n-1.
func numbers(format string, n int) string {
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, "  "+format+"\n", i)
	}
	return lines.String()
}
