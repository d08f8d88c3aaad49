// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// TestJobsOfTerraformAreOneSentence checks that a plan has one sentence about
// all jobs that Terraform declares.
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
	p.Elsewhere = p.Elsewhere[:1]
	if got, want := elsewhere(p), "Terraform declares job.a0 in this workspace; this plan does not change it."; got != want {
		t.Errorf("%s", got)
	}
}

// The plan shows a command for adopting a job that Terraform declares. The
// command must work when pasted into a shell.
func TestAdviceToAdoptSelectsTheWorkspace(t *testing.T) {
	t.Parallel()
	for user, want := range map[string]string{
		"":    `adopt it with: openpai adopt 'job.a["1"]' 'my jobs'` + "\n",
		"bob": "only that user can adopt it\n",
	} {
		c := &planner.Change{Address: `job.a["1"]`, Action: planner.NoOp, Reason: planner.Reason{Code: planner.ReasonElsewhere, Job: `job.a["1"]`, DeclaredBy: planner.DeclaredByTerraform, User: user}}
		var text strings.Builder
		if err := Text(&text, &planner.Plan{Workspace: "team", Changes: []*planner.Change{c}}, TextOptions{Phrase: spelled, Path: " 'my jobs'"}); err != nil || !strings.Contains(text.String(), want) {
			t.Errorf("%q: %v\n%s", user, err, text.String())
		}
	}
}

func TestTheDocumentListsEveryJobOfTerraform(t *testing.T) {
	t.Parallel()
	p := &planner.Plan{Workspace: "team", Declarer: planner.DeclaredByCommandLine, Elsewhere: []hclspec.Address{"job.a0", "job.a1"}}
	if json, err := JSON(p, spelled); err != nil || strings.Count(string(json), `"job.a`) != 2 {
		t.Errorf("%s, %v", json, err)
	}
}
