package main

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/local"
)

func TestMain(m *testing.M) {
	// The jobs of examples run from this program.
	if code, handled := local.Entrypoint(os.Args); handled {
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// TestEveryEntryHasAnExample runs the example of every entry of the catalog.
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
			t.Errorf("%s: the finding is not for people:\n%s", entry.Code, printed)
		}
		inOwnWords := entry == hclspec.InvalidSyntax || entry == hclspec.InvalidExpression // of HCL
		if !inOwnWords && !strings.Contains(printed, entry.Summary) {
			t.Errorf("%s: the finding lacks the summary:\n%s", entry.Code, printed)
		}
	}
}

func TestNoExampleWithoutAnEntry(t *testing.T) {
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
			t.Errorf("%s is the example of no entry", f.Name())
		}
	}
}
