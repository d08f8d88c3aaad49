// SPDX-License-Identifier: MPL-2.0

//go:build unix

package module

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// tree creates a directory with files. The content "-> x" creates a link to x.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		target, isLink := strings.CutPrefix(content, "-> ")
		switch {
		case err != nil:
		case isLink:
			err = os.Symlink(target, path)
		default:
			err = os.WriteFile(path, []byte(content), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func hashOf(t *testing.T, dir string, skip ...string) string {
	t.Helper()
	hash, err := Hash(dir, skip...)
	if err != nil {
		t.Fatal(err)
	}
	return hash
}

func TestHashChangesWithTheContent(t *testing.T) {
	t.Parallel()
	files := func() map[string]string {
		return map[string]string{"main.pai.hcl": "x", "a/b": "text", "a/link": "-> b"}
	}
	want := hashOf(t, tree(t, files()))
	for name, change := range map[string]func(map[string]string){
		"another content":          func(f map[string]string) { f["a/b"] = "test" },
		"another name":             func(f map[string]string) { f["a/c"] = f["a/b"]; delete(f, "a/b"); f["a/link"] = "-> c" },
		"another target":           func(f map[string]string) { f["a/link"] = "-> ../main.pai.hcl" },
		"a file instead of a link": func(f map[string]string) { f["a/link"] = "b" },
		"another file":             func(f map[string]string) { f["empty"] = "" },
		"a file less":              func(f map[string]string) { delete(f, "main.pai.hcl") },
		"a name with a space":      func(f map[string]string) { f["a b"] = "" },
	} {
		changed := files()
		change(changed)
		if hashOf(t, tree(t, changed)) == want {
			t.Errorf("%s: the hash did not change", name)
		}
	}
}

func TestHashIgnoresTimesModesAndEmptyDirectories(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"run.sh": "true", "b/c": "x", "b/.git/config": "y", ".openpai": "z"})
	want := hashOf(t, tree(t, map[string]string{"run.sh": "true", "b/c": "x"}))
	for _, err := range []error{
		os.Chmod(filepath.Join(dir, "run.sh"), 0o755), os.Chtimes(filepath.Join(dir, "b/c"), time.Unix(0, 0), time.Unix(0, 0)),
		os.Mkdir(filepath.Join(dir, "empty"), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := hashOf(t, dir, ".git", ".openpai"); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

func TestUnsafeDirectoriesHaveNoHash(t *testing.T) {
	t.Parallel()
	pipe := tree(t, nil)
	if err := syscall.Mkfifo(filepath.Join(pipe, "p"), 0o600); err != nil {
		t.Fatal(err)
	}
	large := tree(t, map[string]string{"f": "x"})
	if err := os.Truncate(filepath.Join(large, "f"), MaxBytes+1); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ dir, want string }{
		"a link out of the directory":     {tree(t, map[string]string{"l": "-> ../x"}), "the link l leads out of the directory"},
		"an absolute link":                {tree(t, map[string]string{"l": "-> /etc/passwd"}), "the link l leads out of the directory"},
		"a circle of links":               {tree(t, map[string]string{"l": "-> m", "m": "-> l"}), "part of a cycle"},
		"a control character in a name":   {tree(t, map[string]string{"a\nb": ""}), "must be printable UTF-8"},
		"a name that is not UTF-8":        {tree(t, map[string]string{"a\xffb": ""}), "must be printable UTF-8"},
		"a pipe":                          {pipe, "p is not a file"},
		"a size above the limit":          {large, "exceeds 64"},
		"a directory that does not exist": {filepath.Join(large, "none"), "no such file"},
	} {
		if _, err := Hash(c.dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	full := &tally{files: MaxFiles}
	if err := full.visit("f", nil, nil); err == nil || !strings.Contains(err.Error(), "more than 10000 files") {
		t.Errorf("too many files: error %v", err)
	}
}
