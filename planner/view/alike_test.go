// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

func TestManyDiagnostics(t *testing.T) {
	t.Parallel()
	var diags hcl.Diagnostics
	for range 5 {
		diags = append(diags,
			local.ImageIgnored.At(hcl.Range{}, "image"),
			planner.UnknownAddress.At(hcl.Range{}, "address"),
			&hcl.Diagnostic{Severity: hcl.DiagWarning, Summary: "Of the library", Detail: "x"})
	}
	var out bytes.Buffer
	if err := view.Diagnostics(&out, diags, nil, view.DiagnosticOptions{}); err != nil {
		t.Fatal(err)
	}
	image := "Warning: Image not used on the local cluster [local-image-ignored]\n\n  image\n\n"
	other := "Warning: Of the library\n\n  x\n\n"
	failure := "Error: Unknown address [unknown-plan-address]\n\n  address\n\n"
	want := image + other + image + other + image + other + other + other +
		"2 more of this kind: Image not used on the local cluster [local-image-ignored]\n\n" +
		failure + failure + failure + failure + failure
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestManyWarningsInMarkdown checks that warnings of one kind leave room for the
// details of a plan.
func TestManyWarningsInMarkdown(t *testing.T) {
	t.Parallel()
	p := &planner.Plan{Workspace: "lab"}
	for range 200 {
		p.Diagnostics = append(p.Diagnostics, local.ImageIgnored.At(hcl.Range{}, "image"))
	}
	tests := map[string]struct {
		detail bool
		shown  int
		more   bool
	}{
		"the first few and a count": {false, 3, true},
		"all in detail":             {true, 200, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			if err := view.Markdown(&out, p, view.MarkdownOptions{Limit: view.MarkdownLimit, Detail: tt.detail}); err != nil {
				t.Fatal(err)
			}
			more := strings.Contains(out.String(), "- 197 more of this kind: **Image not used on the local cluster**\n")
			if shown := strings.Count(out.String(), "- **warning:"); shown != tt.shown || more != tt.more {
				t.Errorf("%d warnings, a count %t:\n%s", shown, more, out.String())
			}
		})
	}
}
