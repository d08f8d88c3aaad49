// SPDX-License-Identifier: MPL-2.0

//go:build unix

package module

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/statedir"
)

func TestCacheStoresByContent(t *testing.T) {
	t.Parallel()
	c := NewCache(filepath.Join(t.TempDir(), "deep", "modules"))
	first := put(t, c, map[string]string{"a": "1"})
	if again := put(t, c, map[string]string{"a": "1"}); again != first {
		t.Errorf("hash %s, want %s", again, first)
	}
	if put(t, c, map[string]string{"a": "2"}) == first {
		t.Error("two packages have the same hash")
	}
	dir, err := c.Get(first)
	if content, _ := os.ReadFile(filepath.Join(dir, "a")); err != nil || string(content) != "1" {
		t.Errorf("content %q, error %v", content, err)
	}
}

func put(t *testing.T, c statedir.Cache, files map[string]string) string {
	t.Helper()
	stage, err := c.Stage()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(stage, "tree")
	if err := os.Rename(tree(t, files), dir); err != nil {
		t.Fatal(err)
	}
	hash, err := c.Put(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(stage); err != nil {
		t.Fatal(err)
	}
	return hash
}

func TestCacheNoticesDamage(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(dir string) error{
		"another content":               func(dir string) error { return os.WriteFile(filepath.Join(dir, "a"), []byte("2"), 0o644) },
		"another file":                  func(dir string) error { return os.WriteFile(filepath.Join(dir, "b"), nil, 0o644) },
		"a file less":                   func(dir string) error { return os.Remove(filepath.Join(dir, "a")) },
		"a link to a directory outside": func(dir string) error { return os.Symlink("/etc/passwd", filepath.Join(dir, "b")) },
		"a file instead of the package": func(dir string) error {
			return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o644))
		},
		"a link instead of the package": func(dir string) error {
			return errors.Join(os.Rename(dir, dir+"-moved"), os.Symlink(dir+"-moved", dir))
		},
	} {
		c := NewCache(t.TempDir())
		hash := put(t, c, map[string]string{"a": "1"})
		if err := damage(c.Path(hash)); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Get(hash); !errors.Is(err, statedir.ErrChanged) {
			t.Errorf("%s: error %v", name, err)
		}
		put(t, c, map[string]string{"a": "1"}) // replaces it
		if _, err := c.Get(hash); err != nil {
			t.Errorf("%s: read after another fetch: %v", name, err)
		}
	}
	if _, err := NewCache(t.TempDir()).Get("h1:0"); !errors.Is(err, statedir.ErrMissing) {
		t.Errorf("error %v", err)
	}
}
