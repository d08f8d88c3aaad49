// SPDX-License-Identifier: MPL-2.0

package workspace

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCachesAreIgnoredInTheirOwnDirectory(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(dir, other string) error
		ignored bool
	}{
		"no caches":                   {func(string, string) error { return nil }, false},
		"a directory":                 {func(dir, _ string) error { return os.Mkdir(filepath.Join(dir, ".openpai"), 0o700) }, true},
		"a link to another directory": {func(dir, other string) error { return os.Symlink(other, filepath.Join(dir, ".openpai")) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, other := t.TempDir(), t.TempDir()
			if err := c.prepare(dir, other); err != nil {
				t.Fatal(err)
			}
			if err := (&Loaded{Dir: dir}).ignoreCaches(); err != nil {
				t.Fatal(err)
			}
			text, _ := os.ReadFile(filepath.Join(dir, ".openpai", ".gitignore"))
			if got := string(text) == "*\n"; got != c.ignored {
				t.Errorf("ignored %t, content %q", got, text)
			}
		})
	}
}
