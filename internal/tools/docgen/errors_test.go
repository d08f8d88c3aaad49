// SPDX-License-Identifier: MPL-2.0

package main

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/hclspec/syntax"
	"github.com/openpai/terraform-provider-openpai/internal/local"
)

func TestMain(m *testing.M) {
	// This binary also runs the jobs of the examples.
	if code, handled := local.Entrypoint(os.Args); handled {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// TestEveryEntryHasAnExample runs the example of every entry in the catalog.
func TestEveryEntryHasAnExample(t *testing.T) {
	for _, entry := range hclspec.Catalog() {
		e, err := readExample(entry.Code)
		if err != nil {
			t.Error(err)
			continue
		}
		printed, err := e.print()
		if err != nil {
			t.Errorf("%s: %v", entry.Code, err)
			continue
		}
		if strings.Contains(printed, "%!") || strings.Contains(printed, "<nil>") || strings.Contains(printed, "map[") {
			t.Errorf("%s: the diagnostic contains internal details:\n%s", entry.Code, printed)
		}
		inOwnWords := entry == syntax.InvalidSyntax || entry == syntax.InvalidExpression // from HCL
		if !inOwnWords && !strings.Contains(printed, entry.Summary) {
			t.Errorf("%s: the diagnostic does not contain the summary:\n%s", entry.Code, printed)
		}
	}
}

func TestEveryExampleBelongsToAnEntry(t *testing.T) {
	known := map[string]bool{}
	for _, entry := range hclspec.Catalog() {
		known[entry.Code+".txtar"] = true
	}
	files, err := fs.ReadDir(archived, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("%s does not belong to any entry", f.Name())
		}
	}
}

func TestCatalogEntriesHaveCodesSummariesAndAdvice(t *testing.T) {
	code := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	entries := hclspec.Catalog()
	for i, e := range entries {
		if !code.MatchString(e.Code) {
			t.Errorf("%q is not a code of small letters and hyphens", e.Code)
		}
		if e.Summary == "" || strings.ContainsAny(e.Summary, "%\"\n") || strings.HasSuffix(e.Summary, ".") {
			t.Errorf("%s: the summary %q contains values or ends like a sentence", e.Code, e.Summary)
		}
		if !strings.HasSuffix(e.Advice, ".") {
			t.Errorf("%s: the advice is not a sentence", e.Code)
		}
		if i > 0 && entries[i-1].Code >= e.Code {
			t.Errorf("%s comes before %s", entries[i-1].Code, e.Code)
		}
	}
}
