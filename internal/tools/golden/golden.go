// SPDX-License-Identifier: MPL-2.0

package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// File compares a test result with the content of a file.
func File(t testing.TB, name string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// Archives runs a subtest for each archive that matches a pattern. Each
// subtest has the name of its archive and calls files with the files in the
// archive. files returns the input files and the result files, which the
// subtest compares with the archive.
func Archives(t *testing.T, pattern string, files func(t *testing.T, all []txtar.File) []txtar.File) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no archives match %s: %v", pattern, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			File(t, name, txtar.Format(&txtar.Archive{Comment: archive.Comment, Files: files(t, archive.Files)}))
		})
	}
}
