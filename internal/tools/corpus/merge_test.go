// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTheOrderOfImportedFilesDoesNotMatter imports jobs together, in both orders.
// Different jobs use the same name, either for identical objects or for different
// objects.
func TestTheOrderOfImportedFilesDoesNotMatter(t *testing.T) {
	t.Parallel()
	entries, err := os.ReadDir("testdata/merge")
	if err != nil {
		t.Fatal(err)
	}
	var files, reversed []file
	for _, e := range entries {
		f := file{name: e.Name(), path: filepath.Join("testdata/merge", e.Name())}
		files, reversed = append(files, f), append([]file{f}, reversed...)
	}
	for name, list := range map[string][]file{"in order": files, "reversed": reversed} {
		sets := mergeSets(list)
		if len(sets) != 1 || len(sets[0].files) != len(files) {
			t.Fatalf("%s: %d sets", name, len(sets))
		}
		if problem := sets[0].check(t.TempDir()); problem != "" {
			t.Errorf("%s: %s", name, problem)
		}
	}
}
