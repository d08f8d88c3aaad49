// SPDX-License-Identifier: MPL-2.0

package lockfile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestCache(t *testing.T) {
	t.Parallel()
	c := Cache(filepath.Join(t.TempDir(), "deep", "items"))
	content := []byte("name: x\n")
	h := hashOf(content)
	if _, err := c.Get(h); !errors.Is(err, ErrMissing) {
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
	if err := os.Remove(c.path(h)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", c.path(h)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Get(h); !errors.Is(err, ErrChanged) {
		t.Errorf("a link to an endless file: %v", err)
	}
	if err := os.Remove(c.path(h)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(c.path(h), []byte("name: y\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Get(h); !errors.Is(err, ErrChanged) {
		t.Errorf("a changed content: %v", err)
	}
}
