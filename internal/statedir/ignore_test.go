// SPDX-License-Identifier: MPL-2.0

package statedir_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/statedir"
)

func TestIgnoreStaysInTheDirectory(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(dir, other string) error
		want    string
	}{
		"no directory":                {func(string, string) error { return nil }, ""},
		"a directory":                 {func(dir, _ string) error { return os.Mkdir(dir, 0o700) }, "*\n"},
		"a link to another directory": {func(dir, other string) error { return os.Symlink(other, dir) }, ""},
		"a file of the user": {func(dir, _ string) error {
			if err := os.Mkdir(dir, 0o700); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, ".gitignore"), []byte("cache\n"), 0o644)
		}, "cache\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, other := filepath.Join(t.TempDir(), ".openpai"), t.TempDir()
			if err := c.prepare(dir, other); err != nil {
				t.Fatal(err)
			}
			if err := statedir.Ignore(dir); err != nil {
				t.Fatal(err)
			}
			if text, _ := os.ReadFile(statedir.IgnoreFile(dir)); string(text) != c.want {
				t.Errorf("content %q, want %q", text, c.want)
			}
			if _, err := os.Lstat(filepath.Join(other, ".gitignore")); err == nil {
				t.Error("Ignore wrote a file to the target of the link")
			}
		})
	}
}
