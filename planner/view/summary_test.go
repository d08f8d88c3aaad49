// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// A plan has one sentence about the jobs of Terraform, however many there are.
func TestJobsOfTerraformAreOneSentence(t *testing.T) {
	t.Parallel()
	p := &planner.Plan{Workspace: "team", Declarer: planner.DeclaredByCommandLine}
	for n := range 7 {
		p.Elsewhere = append(p.Elsewhere, hclspec.Address(fmt.Sprintf("job.a%d", n)))
	}
	var text, markdown strings.Builder
	if err := Text(&text, p, TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := Markdown(&markdown, p, MarkdownOptions{}); err != nil {
		t.Fatal(err)
	}
	want := "Terraform declares job.a0, job.a1, job.a2, job.a3, job.a4, 2 more in this workspace; this plan does not change them."
	for _, got := range []string{text.String(), markdown.String()} {
		if strings.Count(got, want) != 1 || strings.Contains(got, "job.a5") {
			t.Errorf("%s", got)
		}
	}
	if json, err := JSON(p); err != nil || strings.Count(string(json), `"job.a`) != 7 {
		t.Errorf("%s, %v", json, err)
	}
}
