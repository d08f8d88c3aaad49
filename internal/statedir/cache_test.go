// SPDX-License-Identifier: MPL-2.0

//go:build unix

package statedir_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/statedir"
)

// words returns a cache of regular files. The hash function returns the
// content of the file.
func words(dir string) statedir.Cache {
	return statedir.Cache{Dir: dir, Entry: func(hash string) string { return hash + ".txt" }, Hash: func(path string) (string, error) {
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			return "", errors.New("not a regular file")
		}
		text, err := os.ReadFile(path)
		return string(text), err
	}}
}

func put(c statedir.Cache, word string) error {
	stage, err := c.Stage()
	if err != nil {
		return err
	}
	file := filepath.Join(stage, "file")
	if err := os.WriteFile(file, []byte(word), 0o644); err != nil {
		return err
	}
	hash, err := c.Put(file)
	if err == nil && hash != word {
		err = errors.New("wrong hash " + hash)
	}
	return errors.Join(err, os.RemoveAll(stage))
}

func TestCacheVerifiesContents(t *testing.T) {
	t.Parallel()
	c := words(filepath.Join(t.TempDir(), "state", "words"))
	if _, err := c.Get("one"); !errors.Is(err, statedir.ErrMissing) {
		t.Errorf("an empty cache: %v", err)
	}
	for name, damage := range map[string]func(path string) error{
		"nothing":         func(string) error { return nil },
		"another content": func(path string) error { return os.WriteFile(path, []byte("two"), 0o644) },
		"a directory":     func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o755)) },
		"a link to the same content": func(path string) error {
			return errors.Join(os.Rename(path, path+".moved"), os.Symlink(path+".moved", path))
		},
		"a link to an endless file": func(path string) error { return errors.Join(os.Remove(path), os.Symlink("/dev/zero", path)) },
	} {
		if err := put(c, "one"); err != nil { // this also replaces the file that the previous case left
			t.Fatalf("%s: %v", name, err)
		}
		if path, err := c.Get("one"); err != nil || path != c.Path("one") {
			t.Errorf("%s: %s, %v", name, path, err)
		}
		if err := damage(c.Path("one")); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Get("one"); name != "nothing" && !errors.Is(err, statedir.ErrChanged) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestCacheIsNotALink(t *testing.T) {
	t.Parallel()
	for _, link := range []string{"state", "state/words"} {
		dir, victim := t.TempDir(), t.TempDir()
		at := filepath.Join(dir, link)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.Symlink(victim, at)); err != nil {
			t.Fatal(err)
		}
		err := put(words(filepath.Join(dir, "state", "words")), "one")
		if err == nil || !strings.Contains(err.Error(), "is a symbolic link; remove it") {
			t.Errorf("%s: error %v", link, err)
		}
		if entries, _ := os.ReadDir(victim); len(entries) > 0 {
			t.Errorf("%s: wrote %v", link, entries)
		}
	}
}
