// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestASourceHasOneKind(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	for source, want := range map[string]location{
		"./market":                                  {kind: kindDirectory, target: filepath.Join(base, "market")},
		"/srv/market/":                              {kind: kindDirectory, target: "/srv/market"},
		"file:///srv/market":                        {kind: kindDirectory, target: "/srv/market"},
		"https://example.org/items.yml":             {kind: kindFile, target: "https://example.org/items.yml"},
		"https://example.org/items.pai.hcl?raw=1":   {kind: kindFile, target: "https://example.org/items.pai.hcl?raw=1"},
		"items::https://example.org/items":          {kind: kindFile, target: "https://example.org/items"},
		"https://pai.example.org/marketplace/api/":  {kind: kindREST, target: "https://pai.example.org/marketplace/api"},
		"rest::http://127.0.0.1:9292":               {kind: kindREST, target: "http://127.0.0.1:9292"},
		"https://example.org/team/items.git":        {kind: kindGit, written: "https://example.org/team/items.git", target: "https://example.org/team/items.git"},
		"https://example.org/a.git//sub/dir?ref=v1": {kind: kindGit, written: "https://example.org/a.git", target: "https://example.org/a.git", dir: "sub/dir", ref: "v1"},
		"git::https://example.org/items?ref=abc":    {kind: kindGit, written: "https://example.org/items", target: "https://example.org/items", ref: "abc"},
		"git::./repo//data":                         {kind: kindGit, written: "./repo", target: filepath.Join(base, "repo"), dir: "data"},
		"git@example.org:team/items.git?ref=main":   {kind: kindGit, written: "git@example.org:team/items.git", target: "git@example.org:team/items.git", ref: "main"},
		"git::file:///srv/items?ref=v1":             {kind: kindGit, written: "file:///srv/items", target: "file:///srv/items", ref: "v1"},
		"ssh://git@example.org/team/items.git":      {kind: kindGit, written: "ssh://git@example.org/team/items.git", target: "ssh://git@example.org/team/items.git"},
		"./repo?ref=v1":                             {kind: kindGit, written: "./repo", target: filepath.Join(base, "repo"), ref: "v1"},
	} {
		got, err := locate(source, base)
		if err != nil || got != want {
			t.Errorf("%s is %+v (%v), want %+v", source, got, err, want)
		}
	}
}

// TestDangerousSourcesAreRejected checks that locate rejects dangerous sources. Such
// a source could run a program, read another location or write a credential to a
// file.
func TestDangerousSourcesAreRejected(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"", "  ", "--upload-pack=touch x", "git::--upload-pack=touch x", "git::ext::sh -c touch%20x",
		"git::https://example.org/a.git?ref=--upload-pack=x", "git::https://example.org/a.git//../..", "git::https://example.org/a.git?depth=1",
		"https://user:token@example.org/items.yml", "git::https://token@example.org/a.git", "ftp://example.org/items.yml",
		"https://example.org/items.yml?token=hunter2", "git::https://example.org/a.git?ref=v1&access_token=hunter2",
		"rest::https://example.org/?a=b&Api_Key=hunter2", "https://example.org/items.yml?se=1&sig=hunter2",
		"git::ftp://example.org/a.git", "rest::./dir", "items::/etc/passwd", "a\nb",
	} {
		got, err := locate(source, "/base")
		if !Is(err, InvalidMarketplaceSource) {
			t.Errorf("%q is accepted as %+v (%v)", source, got, err)
			continue
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error prints a credential: %v", err)
		}
	}
}

func TestRelativeSourcesAreRebased(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for source, want := range map[string]string{
		"market":                    "../cwd/market",
		"./market":                  "../cwd/market",
		"git::./repo//sub?ref=v1":   "git::../cwd/repo//sub?ref=v1",
		"/srv/market":               "/srv/market",
		"https://example.org/api":   "https://example.org/api",
		"git@example.org:items.git": "git@example.org:items.git",
	} {
		if got := Rebase(source, filepath.Join(dir, "cwd"), filepath.Join(dir, "workspace")); got != want {
			t.Errorf("%s becomes %s, want %s", source, got, want)
		}
	}
	if got := Rebase("market", dir, dir); got != "market" {
		t.Errorf("in the same directory, market becomes %s", got)
	}
}

func TestARelativeSourceIsRewrittenForAnotherDirectory(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for source, want := range map[string]string{
		"./market":                "../here/market",
		"../market":               "../market",
		"../there/market":         "./market",
		"git::./repo//sub?ref=v1": "git::../here/repo//sub?ref=v1",
		"/srv/market":             "/srv/market",
		"https://example.org/api": "https://example.org/api",
	} {
		if got := SourceFrom(source, filepath.Join(dir, "here"), filepath.Join(dir, "there")); got != want {
			t.Errorf("%s becomes %s, want %s", source, got, want)
		}
	}
}

func TestEqualSourcesAreRecognized(t *testing.T) {
	t.Parallel()
	declared := func(source string) *hclspec.Marketplace { return &hclspec.Marketplace{Source: source} }
	cluster := &hclspec.Marketplace{Kubernetes: &hclspec.KubernetesMarketplace{Cluster: "gpu"}}
	for name, c := range map[string]struct {
		a, b *hclspec.Marketplace
		want bool
	}{
		"two spellings of a directory":  {declared("./market"), declared("/base/market"), true},
		"two directories":               {declared("./market"), declared("./other"), false},
		"two revisions of a repository": {declared("git::./repo?ref=a"), declared("git::./repo?ref=b"), false},
		"a server and its URL in full":  {declared("https://example.org/api"), declared("rest::https://example.org/api/"), true},
		"a cluster and a directory":     {cluster, declared("./market"), false},
		"two spellings of a cluster":    {cluster, cluster, true},
		"an empty source":               {declared(""), declared(""), false},
	} {
		if got := SameSource(c.a, c.b, "/base"); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
