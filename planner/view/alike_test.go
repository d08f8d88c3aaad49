// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/local"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

func TestWarningsOfOneKindAreFoldedButErrorsAreNot(t *testing.T) {
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

// TestThePageGroupsWarningsByKind checks that the page groups warnings by kind, and
// shows their positions and the number of omitted warnings.
func TestThePageGroupsWarningsByKind(t *testing.T) {
	t.Parallel()
	p := &planner.Plan{Workspace: "lab"}
	for line := range 5 {
		at := hcl.Range{Filename: "main.pai.hcl", Start: hcl.Pos{Line: line + 1, Column: 3}}
		p.Diagnostics = append(p.Diagnostics, local.ImageIgnored.At(at, "image"), local.ResourcesCapped.At(at, "resources"))
	}
	var kinds []string
	for _, m := range regexp.MustCompile(`<summary><b>warning:</b> (.*?) <span class="dim code">.*?</span>(?: <code class="dim">(.*?)</code>)?</summary>`).FindAllStringSubmatch(html(t, p), -1) {
		kinds = append(kinds, m[1]+" "+m[2])
	}
	const image, resources = "Image not used on the local cluster", "Job requests more resources than this machine has"
	want := []string{
		image + " main.pai.hcl:1:3", image + " main.pai.hcl:2:3", image + " main.pai.hcl:3:3", "2 more of this kind: " + image + " ",
		resources + " main.pai.hcl:1:3", resources + " main.pai.hcl:2:3", resources + " main.pai.hcl:3:3", "2 more of this kind: " + resources + " ",
	}
	if diff := cmp.Diff(want, kinds); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestMarkdownFoldsAlikeWarningsUnlessDetailed checks that many warnings of one kind do not
// displace the details.
func TestMarkdownFoldsAlikeWarningsUnlessDetailed(t *testing.T) {
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
		"the first few warnings and a count": {false, 3, true},
		"all in detail":                      {true, 200, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out strings.Builder
			if err := view.Markdown(&out, p, view.MarkdownOptions{Phrase: phrase.Of, Limit: view.MarkdownLimit, Detail: tt.detail}); err != nil {
				t.Fatal(err)
			}
			more := strings.Contains(out.String(), "- 197 more of this kind: **Image not used on the local cluster**\n")
			if shown := strings.Count(out.String(), "- **warning:"); shown != tt.shown || more != tt.more {
				t.Errorf("%d warnings, a count %t:\n%s", shown, more, out.String())
			}
		})
	}
}

// TestOmittedWarningsAreCounted checks that the view counts the warnings that it
// omits because of the character limit. The count includes the warnings above the
// limit per kind.
func TestOmittedWarningsAreCounted(t *testing.T) {
	t.Parallel()
	p := &planner.Plan{Workspace: "lab"}
	for range 200 {
		p.Diagnostics = append(p.Diagnostics, local.ImageIgnored.At(hcl.Range{}, "image"))
	}
	var out bytes.Buffer
	if err := view.Markdown(&out, p, view.MarkdownOptions{Phrase: phrase.Of, Limit: 1}); err != nil {
		t.Fatal(err)
	}
	if want := "- 200 more warnings omitted because of the character limit.\n"; !strings.Contains(out.String(), want) {
		t.Errorf("%q is missing in:\n%s", want, out.String())
	}
}

// TestManyErrorsKeepTheLimit checks that the view counts omitted errors. The view
// must always show the first few errors of each kind.
func TestManyErrorsKeepTheLimit(t *testing.T) {
	t.Parallel()
	detail := strings.Repeat("x", 150)
	tests := map[string]struct {
		errors, shown int // number of errors of one kind; shown = 0 means as many as fit
		at            func(i int) hcl.Range
		limit         int
		detail        bool
	}{
		"few":                                {errors: 20, shown: 20, limit: view.MarkdownLimit},
		"many without a position":            {errors: 400, limit: view.MarkdownLimit},
		"many at separate positions":         {errors: 400, at: line, limit: view.MarkdownLimit},
		"many at one position":               {errors: 400, at: func(int) hcl.Range { return line(0) }, limit: view.MarkdownLimit},
		"two at each position":               {errors: 400, at: func(i int) hcl.Range { return line(i / 2) }, limit: view.MarkdownLimit},
		"many in detail":                     {errors: 400, at: line, limit: view.MarkdownLimit, detail: true},
		"the first few exceed the limit":     {errors: 400, shown: 3, at: line, limit: 1},
		"the first few at one position":      {errors: 400, shown: 3, at: func(int) hcl.Range { return line(0) }, limit: 1},
		"many without a limit are all shown": {errors: 400, shown: 400, at: line},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &planner.Plan{Workspace: "lab"}
			for i := range tt.errors {
				var at hcl.Range
				if tt.at != nil {
					at = tt.at(i)
				}
				p.Diagnostics = append(p.Diagnostics, planner.UnknownAddress.At(at, "%s <%d>.", detail, i))
			}
			p.Diagnostics = append(p.Diagnostics, planner.QuotaExceeded.At(hcl.Range{}, "another kind"))
			got := markdown(t, p, view.MarkdownOptions{Limit: tt.limit, Detail: tt.detail})
			shown := strings.Count(got, detail)
			if n := utf8.RuneCountInString(got); tt.limit > 1 && n > tt.limit {
				t.Errorf("%d characters, more than %d", n, tt.limit)
			}
			if tt.shown > 0 && shown != tt.shown || tt.shown == 0 && shown < 100 {
				t.Errorf("%d errors are shown, want %d", shown, tt.shown)
			}
			count := fmt.Sprintf("- %d more errors omitted because of the character limit.\n", tt.errors-shown)
			if has := strings.Contains(got, count); has != (shown < tt.errors) {
				t.Errorf("the count is shown: %t", has)
			}
			if !strings.Contains(got, "another kind\n") {
				t.Error("the error of the other kind is missing")
			}
		})
	}
}

func line(i int) hcl.Range {
	at := hcl.Pos{Line: i + 1, Column: 1}
	return hcl.Range{Filename: "main.pai.hcl", Start: at, End: at}
}

// TestAPageContainsAllWarningsInFewEntries checks that the page shows 200 warnings of
// one kind in four entries.
func TestAPageContainsAllWarningsInFewEntries(t *testing.T) {
	t.Parallel()
	p := &planner.Plan{Workspace: "lab"}
	for i := range 200 {
		p.Diagnostics = append(p.Diagnostics, local.ImageIgnored.At(hcl.Range{}, "image %d", i))
	}
	var out bytes.Buffer
	if err := view.HTML(&out, p, phrase.Of); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), `class="diagnostic warning"`); got != 4 {
		t.Errorf("the page has %d entries", got)
	}
	for i := range 200 {
		if detail := fmt.Sprintf("<p>image %d</p>", i); !strings.Contains(out.String(), detail) {
			t.Fatalf("%s is missing", detail)
		}
	}
}
