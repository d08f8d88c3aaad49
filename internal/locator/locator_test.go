// SPDX-License-Identifier: MPL-2.0

package locator

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func address(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestLocatorsArePathsURLsAndRepositories(t *testing.T) {
	t.Parallel()
	commit := strings.Repeat("a", 40)
	for name, c := range map[string]struct {
		text string
		want Locator
	}{
		"a path":                        {"/data/a b.csv", Locator{Kind: File, Path: "/data/a b.csv", Name: "a b.csv"}},
		"a file URL":                    {"file:///data/a%20b.csv", Locator{Kind: File, Path: "/data/a b.csv", Name: "a b.csv"}},
		"a server":                      {"https://h:1/x/a.zip?sig=1", Locator{Kind: HTTP, URL: address(t, "https://h:1/x/a.zip?sig=1"), Name: "a.zip"}},
		"the root of a server":          {"http://h:1/", Locator{Kind: HTTP, URL: address(t, "http://h:1/"), Name: "h"}},
		"a name that would climb":       {"http://h/..", Locator{Kind: HTTP, URL: address(t, "http://h/.."), Name: "h"}},
		"a file whose path climbs":      {"/..", Locator{Kind: File, Path: "/..", Name: "/"}},
		"a URL whose path climbs":       {"file:///a/b/..", Locator{Kind: File, Path: "/a/b/..", Name: "a"}},
		"a repository that would climb": {"git::https://h/...git?ref=v1", Locator{Kind: Git, URL: address(t, "https://h/...git"), Name: "h", Ref: "v1"}},
		"a repository without a name":   {"git::https://h/.git?ref=v1", Locator{Kind: Git, URL: address(t, "https://h/.git"), Name: "h", Ref: "v1"}},
		"a tag":                         {"git::https://h/r.git?ref=v1.0", Locator{Kind: Git, URL: address(t, "https://h/r.git"), Name: "r", Ref: "v1.0"}},
		"a commit of a directory":       {"git::ssh://git@h/r//a/b?ref=" + commit, Locator{Kind: Git, URL: address(t, "ssh://git@h/r"), Name: "r", Ref: commit, Subdir: "a/b"}},
		"a hidden directory":            {"git::https://h/r//.github?ref=v1", Locator{Kind: Git, URL: address(t, "https://h/r"), Name: "r", Ref: "v1", Subdir: ".github"}},
		"a directory of dots":           {"git::https://h/r//...?ref=v1", Locator{Kind: Git, URL: address(t, "https://h/r"), Name: "r", Ref: "v1", Subdir: "..."}},
		"a directory with only a name":  {"git::file:///r//.?ref=v1", Locator{Kind: Git, URL: address(t, "file:///r"), Name: "r", Ref: "v1"}},
		"a repository on this machine":  {"git::/r?ref=v1", Locator{Kind: Git, URL: address(t, "file:///r"), Name: "r", Ref: "v1"}},
		"a tag with a path in it":       {"git::https://h/r?ref=releases/v1", Locator{Kind: Git, URL: address(t, "https://h/r"), Name: "r", Ref: "releases/v1"}},
		"a server with a port only":     {"http://h:8080", Locator{Kind: HTTP, URL: address(t, "http://h:8080"), Name: "h"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := Parse(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(url.Userinfo{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if got.IsCommit() != (got.Ref == commit) {
				t.Errorf("%q is a commit: %v", got.Ref, got.IsCommit())
			}
		})
	}
}

func TestInvalidLocatorsAreErrors(t *testing.T) {
	t.Parallel()
	for text, why := range map[string]string{
		"data/a.csv":                      "it must be an absolute path, or an http",
		"ftp://h/a":                       "it must be an absolute path, or an http",
		"":                                "it must be an absolute path, or an http",
		"https:///a":                      "has no host",
		"https://h/%zz":                   "is not valid",
		"file://host/a":                   "a file URL must start with file:///",
		"file:a":                          "a file URL must start with file:///",
		"git::https://h/r":                "must end with ?ref=",
		"git::https://h/r?ref=":           "must end with ?ref=",
		"git::https://h/r?ref=--upload":   "must end with ?ref=",
		"git::https://h/r?ref=a..b":       "must end with ?ref=",
		"git::https://h/r?ref=refs/x":     "must end with ?ref=",
		"git::https://h/r?ref=v1&depth=1": "must end with ?ref=",
		"git::https://h/r//../x?ref=v1":   "must be inside the repository",
		"git::ext::sh -c x":               "a git URL must be git::",
		"git::r?ref=v1":                   "a git URL must be git::",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("Parse(%q): %v, want %q", text, err, why)
		}
	}
}

func TestShowHidesCredentials(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"/data/a":                               "/data/a",
		"data/a":                                "data/a",
		"https://ada:geheim@h/a?sig=geheim#x":   "https://h/a?...",
		"https://h/a":                           "https://h/a",
		"git::https://geheim@h/r//d?ref=v1":     "git::https://h/r//d?ref=v1",
		"git::https://h/r?ref=v1&token=geheim":  "git::https://h/r?ref=v1",
		"https://ada:geheim@h/%zz":              "https://...",
		"git::https://ada:geheim@h/%zz?ref=v1%": "git::https://...",
	} {
		if got := Show(text); got != want {
			t.Errorf("Show(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestOnlyPathsWithoutARootAreRelative(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"a/b": true, "../a": true, "": true, "/a": false, "https://h": false, "git::/a": false, "file:///a": false} {
		if got := IsRelative(text); got != want {
			t.Errorf("IsRelative(%q) = %v", text, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"git::https://h/r//d?ref=v1", "git::https://h/...git?ref=v1", "https://u:p@h/x?y", "file:///x", "/.."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if l, err := Parse(text); err == nil && (strings.ContainsRune(l.Name, '/') && l.Kind != File || l.Name == ".." || strings.HasPrefix(l.Ref, "-") || l.Subdir != "" && !filepath.IsLocal(l.Subdir)) {
			t.Errorf("Parse(%q) = %+v", text, l)
		}
		Show(text)
	})
}

func TestARelativePathStaysInTheDirectory(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"data.bin": "/w/data.bin", "./a/b": "/w/a/b", "../a": "", "a/../../b": "", "/abs/x": "/abs/x", "file:///abs/x": "/abs/x", "ftp://h/x": "",
	} {
		if at, err := ParseIn("/w", text); at.Path != want || (err != nil) != (want == "") {
			t.Errorf("%s: %q, %v; want %q", text, at.Path, err, want)
		}
	}
}
