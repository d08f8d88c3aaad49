// SPDX-License-Identifier: MPL-2.0

//go:build unix

package module

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/marketplace"
)

// runGit runs git in dir without the user's git configuration, and returns
// the output.
func runGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func repository(t *testing.T, files map[string]string) (dir, commit string) {
	t.Helper()
	dir = tree(t, files)
	runGit(t, dir, "init", "--quiet", "--initial-branch=main")
	runGit(t, dir, "add", "--all")
	runGit(t, dir, "commit", "--quiet", "--message=recipes")
	return dir, runGit(t, dir, "rev-parse", "HEAD")
}

func newFetcher(t *testing.T) *Fetcher { return &Fetcher{Cache: NewCache(t.TempDir())} }

func source(t *testing.T, text, version string) Source {
	t.Helper()
	s, err := Parse(text, version)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestARepositoryIsFetchedAtItsRevision(t *testing.T) {
	t.Parallel()
	files := map[string]string{"train/main.pai.hcl": "x", "common": "1", "train/link": "-> ../common"}
	dir, first := repository(t, files)
	runGit(t, dir, "tag", "v1.0")
	if err := os.WriteFile(filepath.Join(dir, "common"), []byte("2"), 0o644); err != nil {
		t.Fatal(err)
	}
	runGit(t, dir, "commit", "--quiet", "--all", "--message=two")
	second := runGit(t, dir, "rev-parse", "HEAD")
	one := hashOf(t, tree(t, files))
	files["common"] = "2"
	two := hashOf(t, tree(t, files))
	f := newFetcher(t)
	for name, c := range map[string]struct {
		source, version string
		want            Fetched
	}{
		"the default branch":      {"", "", Fetched{two, second}},
		"a directory":             {"//train", "", Fetched{two, second}},
		"a branch":                {"?ref=main", "", Fetched{two, second}},
		"a tag":                   {"?ref=v1.0", "", Fetched{one, first}},
		"a commit":                {"?ref=" + first, "", Fetched{one, first}},
		"a version":               {"", "v1.0", Fetched{one, first}},
		"a version without its v": {"", "1.0", Fetched{one, first}},
	} {
		got, err := f.Fetch(t.Context(), source(t, "git::file://"+dir+c.source, c.version))
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %v, want %v", name, got, err, c.want)
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Fetch(t.Context(), source(t, "git::file://"+dir+"//other", "1.0")); err != nil {
		t.Errorf("Fetch fetched a package twice: %v", err)
	}
	if _, err := f.Cache.Get(one); err != nil {
		t.Error(err)
	}
	if rest, err := filepath.Glob(filepath.Join(f.Cache.Dir, ".fetch-*")); err != nil || len(rest) > 0 {
		t.Errorf("left behind: %v, %v", rest, err)
	}
}

// TestFetchTakesAllFilesOfACommit checks that git attributes cannot omit or
// rewrite files.
func TestFetchTakesAllFilesOfACommit(t *testing.T) {
	t.Parallel()
	files := map[string]string{"tests": "kept", "version": "$Format:%H$", "lines.txt": "é\n", "ident": "$Id$"}
	dir, _ := repository(t, files)
	files[".gitattributes"] = "tests export-ignore\nversion export-subst\n*.txt text eol=crlf working-tree-encoding=ISO-8859-1\nident ident\n"
	if err := os.WriteFile(filepath.Join(dir, ".gitattributes"), []byte(files[".gitattributes"]), 0o644); err != nil {
		t.Fatal(err)
	}
	runGit(t, dir, "add", ".gitattributes")
	runGit(t, dir, "commit", "--quiet", "--message=attributes")
	commit := runGit(t, dir, "rev-parse", "HEAD")
	got, err := newFetcher(t).Fetch(t.Context(), source(t, "git::file://"+dir, ""))
	if want := (Fetched{hashOf(t, tree(t, files)), commit}); err != nil || got != want {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

func TestFetchRejectsUnusableRepositories(t *testing.T) {
	t.Parallel()
	dir, _ := repository(t, map[string]string{"a": "1"})
	links, _ := repository(t, map[string]string{"out": "-> ../secret"})
	for name, c := range map[string]struct{ source, version, want string }{
		"no such branch":     {dir + "?ref=next", "", "cannot read the repository"},
		"no such commit":     {dir + "?ref=" + strings.Repeat("0", 40), "", "has no commit"},
		"no such version":    {dir, "9", "cannot read the repository"},
		"no such repository": {dir + "/none", "", "cannot read the repository"},
		"a link out of it":   {links, "", "leads out of the directory"},
	} {
		f := newFetcher(t)
		_, err := f.Fetch(t.Context(), source(t, "git::file://"+c.source, c.version))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
		if rest, _ := os.ReadDir(f.Cache.Dir); len(rest) > 0 {
			t.Errorf("%s: left behind: %v", name, rest)
		}
	}
}

func packed(t *testing.T, kind string, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	if kind == "zip" {
		w := zip.NewWriter(&b)
		for name, content := range files {
			f, err := w.Create(name)
			if err == nil {
				_, err = io.WriteString(f, content)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, content := range files {
		h := &tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(content))}
		if target, isLink := strings.CutPrefix(content, "-> "); isLink {
			h.Typeflag, h.Linkname, h.Size, content = tar.TypeSymlink, target, 0, ""
		}
		err := w.WriteHeader(h)
		if err == nil {
			_, err = io.WriteString(w, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{w.Close(), z.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// entries returns an archive with n entries for the same directory.
func entries(t *testing.T, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for range n {
		if err := w.WriteHeader(&tar.Header{Name: "d/", Typeflag: tar.TypeDir, Mode: 0o755}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestOnlySafeArchivesAreFetched(t *testing.T) {
	t.Parallel()
	files := map[string]string{"train/main.pai.hcl": "x", "common": "1"}
	content := map[string][]byte{
		"/good.tar.gz": packed(t, "tar.gz", files), "/good.zip": packed(t, "zip", files),
		"/up.zip": packed(t, "zip", map[string]string{"../evil": "x"}), "/absolute.tar.gz": packed(t, "tar.gz", map[string]string{"/etc/evil": "x"}),
		"/link.tar.gz": packed(t, "tar.gz", map[string]string{"l": "-> ../../secret"}), "/many.tar.gz": entries(t, MaxFiles+1),
		"/bomb.tar.gz": packed(t, "tar.gz", map[string]string{"zeros": strings.Repeat("0", MaxBytes+1)}), "/large.zip": make([]byte, MaxBytes+1),
		"/page.zip": []byte("<html>"), "/cut.zip": packed(t, "zip", files)[:40], "/empty.zip": nil,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, ok := content[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(b)
	}))
	t.Cleanup(server.Close)
	want := Fetched{Hash: hashOf(t, tree(t, files))}
	for path, reason := range map[string]string{
		"/good.tar.gz": "", "/good.zip": "", "/good.zip//train": "",
		"/up.zip": "would be outside the directory", "/absolute.tar.gz": "would be outside the directory", "/link.tar.gz": "leads out of the directory",
		"/many.tar.gz": "more than 10000 entries", "/bomb.tar.gz": "its contents are larger than 64", "/large.zip": "larger than 64",
		"/page.zip": "a file that is not an archive", "/cut.zip": "it is damaged", "/empty.zip": "a file that is not an archive", "/none.zip": "does not exist",
	} {
		f := newFetcher(t)
		got, err := f.Fetch(t.Context(), source(t, server.URL+path, ""))
		if reason == "" && (err != nil || got != want) || reason != "" && (err == nil || !strings.Contains(err.Error(), reason)) {
			t.Errorf("%s: %v, %v, want %q", path, got, err, reason)
		}
		if rest, _ := os.ReadDir(f.Cache.Dir); reason != "" && len(rest) > 0 {
			t.Errorf("%s: left behind: %v", path, rest)
		}
	}
}

// TestFetchUsesTheLimitsOfItsOptions checks that Fetch fails when it exceeds
// the total time limit.
func TestFetchUsesTheLimitsOfItsOptions(t *testing.T) {
	t.Parallel()
	dir, _ := repository(t, map[string]string{"a": "1"})
	limits := marketplace.DefaultLimits
	limits.Total = 1 // nanosecond
	f := newFetcher(t)
	f.Options.Limits = &limits
	if _, err := f.Fetch(t.Context(), source(t, "git::file://"+dir, "")); err == nil {
		t.Error("no error")
	}
}
