// SPDX-License-Identifier: MPL-2.0

//go:build unix

package lockfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/statedir"
)

// A repository can contain symbolic links in place of the cache directories.
func TestItemsAreNotWrittenThroughLinks(t *testing.T) {
	t.Parallel()
	for _, link := range []string{"state", "state/items"} {
		dir, victim := t.TempDir(), t.TempDir()
		at := filepath.Join(dir, link)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Symlink(victim, at)); err != nil {
			t.Fatal(err)
		}
		err := NewCache(filepath.Join(dir, "state", "items")).Put([]byte("name: x\n"))
		if err == nil || !strings.Contains(err.Error(), "is a symbolic link; remove it") {
			t.Errorf("%s: error %v", link, err)
		}
		if entries, _ := os.ReadDir(victim); len(entries) > 0 {
			t.Errorf("%s: wrote %v", link, entries)
		}
	}
}

func TestTheCacheReturnsWhatWasPut(t *testing.T) {
	t.Parallel()
	c := NewCache(filepath.Join(t.TempDir(), "deep", "items"))
	content := []byte("name: x\n")
	h := hashOf(content)
	if _, err := c.Get(h); !errors.Is(err, statedir.ErrMissing) {
		t.Errorf("an empty cache: %v", err)
	}
	for range 2 {
		if err := c.Put(content); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := c.Get(h); err != nil || string(got) != string(content) {
		t.Errorf("%q, %v", got, err)
	}
	if err := os.Remove(c.files.Path(h)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", c.files.Path(h)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Get(h); !errors.Is(err, statedir.ErrChanged) {
		t.Errorf("a link to an endless file: %v", err)
	}
	if err := os.Remove(c.files.Path(h)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.files.Path(h), []byte("name: y\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Get(h); !errors.Is(err, statedir.ErrChanged) {
		t.Errorf("a changed content: %v", err)
	}
}
