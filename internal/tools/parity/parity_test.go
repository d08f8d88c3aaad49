// SPDX-License-Identifier: MPL-2.0

package parity

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// TestBothFrontEndsReportTheSameDiagnostics produces every entry in the catalog
// that is not listed as one-sided. The input for an entry is testdata/CODE.txtar
// or, without that file, the example in the documentation.
func TestBothFrontEndsReportTheSameDiagnostics(t *testing.T) {
	for _, entry := range hclspec.Catalog() {
		if oneSided(entry.Code) != "" {
			continue
		}
		t.Run(entry.Code, func(t *testing.T) { newScene(t, entry.Code).test() })
	}
}

// TestBothFrontEndsReportOtherCausesOfAnEntry covers entries that have several causes.
// The input for each additional cause is an archive named CODE.WAY.txtar.
func TestBothFrontEndsReportOtherCausesOfAnEntry(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join("testdata", "*.*.txtar"))
	if err != nil || len(archives) == 0 {
		t.Fatal("no archives", err)
	}
	for _, archive := range archives {
		name := strings.TrimSuffix(filepath.Base(archive), ".txtar")
		t.Run(name, func(t *testing.T) { newScene(t, name).test() })
	}
}

func (s *scene) differences(a, b []diagnostic, printed, reported string) []string {
	if len(a) == 0 || len(a) != len(b) {
		return []string{"the front ends report it differently; if only one front end can report the entry, list it in groups_test.go: " + times(len(a)) + " by the command line:\n" + printed + "\nand " + times(len(b)) + " by the provider:\n" + reported}
	}
	var all []string
	if entryOf(s.Code).Severity == hcl.DiagError && !s.has("as-warning") && !slices.ContainsFunc(a, diagnostic.isError) {
		all = append(all, "the entry is an error, but only warnings were reported:\n"+printed)
	}
	for i := range a {
		if s.position != "" && a[i].position == s.position && b[i].reported.attribute == s.attribute {
			continue
		}
		if s.unplaced && a[i].position == "" {
			b[i].attribute = ""
		}
		if text := agree(a[i], b[i]); text != "" {
			all = append(all, text)
		}
	}
	return all
}

func times(n int) string {
	return map[int]string{0: "never", 1: "once"}[min(n, 1)] + strings.Repeat(" and again", max(n-1, 0))
}

func entryOf(code string) *hclspec.Entry {
	entries := hclspec.Catalog()
	return entries[slices.IndexFunc(entries, func(e *hclspec.Entry) bool { return e.Code == code })]
}

// of returns the diagnostics of an entry. Terraform's diagnostics have no
// code, so of compares their summaries.
func of(all []diagnostic, e *hclspec.Entry) []diagnostic {
	var some []diagnostic
	for _, d := range all {
		if d.code == e.Code || d.code == "" && d.summary == e.Summary {
			some = append(some, d)
		}
	}
	return some
}
