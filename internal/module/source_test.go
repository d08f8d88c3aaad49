// SPDX-License-Identifier: MPL-2.0

package module

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestASourceIsADirectoryARepositoryOrAnArchive(t *testing.T) {
	t.Parallel()
	const repository = "https://example.org/recipes.git"
	for name, c := range map[string]struct {
		source, version string
		want            Source
	}{
		"a directory":                        {source: "./modules/train", want: Source{Package: "modules/train", Local: true}},
		"a directory above":                  {source: "../recipes", want: Source{Package: "../recipes", Local: true}},
		"the directory of the caller":        {source: ".", want: Source{Package: ".", Local: true}},
		"a directory of a larger directory":  {source: "../recipes//train", want: Source{Package: "../recipes", Dir: "train", Local: true}},
		"a directory inside the package":     {source: "../recipes//../../etc", want: Source{Package: "../recipes", Dir: "etc", Local: true}},
		"a repository":                       {source: "git::" + repository, want: Source{Kind: Git, Package: repository}},
		"a repository by its ending":         {source: repository, want: Source{Kind: Git, Package: repository}},
		"a directory of a repository":        {source: repository + "//train/deep/", want: Source{Kind: Git, Package: repository, Dir: "train/deep"}},
		"the root of a repository":           {source: repository + "//.", want: Source{Kind: Git, Package: repository}},
		"a branch":                           {source: "git::" + repository + "//train?ref=fix/a", want: Source{Kind: Git, Package: repository, Dir: "train", Ref: "fix/a"}},
		"a tag":                              {source: "git::" + repository, version: "1.2.0", want: Source{Kind: Git, Package: repository, Version: "1.2.0"}},
		"ssh":                                {source: "ssh://git@example.org/recipes", want: Source{Kind: Git, Package: "ssh://git@example.org/recipes"}},
		"the short form of ssh":              {source: "git@example.org:ml/recipes.git//train", want: Source{Kind: Git, Package: "git@example.org:ml/recipes.git", Dir: "train"}},
		"a repository on this machine":       {source: "git::file:///srv/recipes.git//train", want: Source{Kind: Git, Package: "file:///srv/recipes.git", Dir: "train", Local: true}},
		"an archive":                         {source: "https://example.org/recipes.tar.gz", want: Source{Kind: Archive, Package: "https://example.org/recipes.tar.gz"}},
		"a directory of an archive":          {source: "https://example.org/recipes.zip//train", want: Source{Kind: Archive, Package: "https://example.org/recipes.zip", Dir: "train"}},
		"an archive without a known ending":  {source: "https://example.org/latest?archive=zip&page=2", want: Source{Kind: Archive, Package: "https://example.org/latest?page=2"}},
		"a directory before the query":       {source: "https://example.org/latest.zip//train?archive=zip", want: Source{Kind: Archive, Package: "https://example.org/latest.zip", Dir: "train"}},
		"a directory of a marked archive":    {source: "https://example.org/latest//train?archive=tar.gz", want: Source{Kind: Archive, Package: "https://example.org/latest", Dir: "train"}},
		"git:: before the URL of an archive": {source: "git::https://example.org/recipes.zip", want: Source{Kind: Git, Package: "https://example.org/recipes.zip"}},
	} {
		got, err := Parse(c.source, c.version)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestInvalidSourcesAreErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ source, version, want string }{
		"nothing":                            {want: "it must be a directory"},
		"a name":                             {source: "train", want: "it must be a directory"},
		"an address of a registry":           {source: "hashicorp/consul/aws", want: "it must be a directory"},
		"an absolute path":                   {source: "/srv/modules/train", want: "absolute path"},
		"a host without a protocol":          {source: "github.com/openpai/recipes", want: "git::https://github.com/owner/repository.git"},
		"a space":                            {source: "https://example.org/a b.zip", want: "it must be a directory"},
		"a newline":                          {source: "./a\n", want: "it must be a directory"},
		"an option of git":                   {source: "git::--upload-pack=touch", want: "it must be a directory"},
		"an option instead of a host":        {source: "git::ssh://-oProxyCommand=touch/x", want: "it must be a directory"},
		"an option in the short form of ssh": {source: "git::git@-oProxyCommand=touch:x", want: "it must be a directory"},
		"a helper program of git":            {source: "git::ext::sh -c touch", want: "it must be a directory"},
		"a helper program without a space":   {source: "git::ext::touch", want: "git remote helper"},
		"an unknown protocol":                {source: "git::ftp://example.org/recipes.git", want: `protocol "ftp" is not supported`},
		"an unknown option":                  {source: "git::https://example.org/r.git?depth=1", want: `unknown option "depth"`},
		"a fragment":                         {source: "git::https://example.org/r.git#train", want: "it must be a directory"},
		"a revision that is an option":       {source: "git::https://example.org/r.git?ref=--all", want: "is not a valid commit, branch or tag"},
		"a range":                            {source: "git::https://example.org/r.git?ref=a..b", want: "is not a valid commit, branch or tag"},
		"a refspec":                          {source: "git::https://example.org/r.git?ref=a:b", want: "is not a valid commit, branch or tag"},
		"a directory after the query":        {source: "https://example.org/latest.zip?archive=zip//train", want: "write the directory before the query: https://example.org/latest.zip//train?archive=zip"},
		"a directory after the revision":     {source: "git::https://example.org/r.git?ref=v1//train", want: "write the directory before the query: https://example.org/r.git//train?ref=v1"},
		"an empty revision":                  {source: "git::https://example.org/r.git?ref=", want: "is not a valid commit, branch or tag"},
		"a directory above the package":      {source: "git::https://example.org/r.git//../etc", want: "not inside the package"},
		"a directory above an archive":       {source: "https://example.org/r.zip//a/../../etc", want: "not inside the package"},
		"a page":                             {source: "https://example.org/recipes", want: "must end with one of .zip"},
		"no host":                            {source: "https:///recipes.zip", want: "it must be a directory"},
		"too long":                           {source: "./" + strings.Repeat("a", maxSource), want: "longer than"},
		"a version of a directory":           {source: "./train", version: "1.0", want: "version requires a git repository as the source"},
		"a version of an archive":            {source: "https://example.org/r.zip", version: "1.0", want: "version requires a git repository as the source"},
		"a version and a ref":                {source: "https://example.org/r.git?ref=v1", version: "1.0", want: "already sets ref=v1"},
		"a constraint":                       {source: "https://example.org/r.git", version: "~> 1.0", want: "version constraint"},
		"an odd tag":                         {source: "https://example.org/r.git", version: "-x", want: "is not a valid tag name"},
	} {
		if _, err := Parse(c.source, c.version); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func TestErrorsHideCredentials(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"https://ada:hush@example.org/r.git", "git::https://hush@example.org/r.git", "https://ada:hush@example.org/r.zip",
		"git::ssh://ada:hush@example.org/r.git", "https://example.org/r.zip?token=hush", "git::https://example.org/r.git?access_token=hush",
		"https://ada:hu%zzsh@example.org/r.zip", "ftp://ada:hush@example.org/r.zip",
	} {
		_, err := Parse(source, "hush")
		if !errors.Is(err, ErrCredential) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: error %v", source, err)
		}
	}
}

func TestAVersionIsATagWithOrWithoutV(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]Source{
		"HEAD":                           {},
		"main":                           {Ref: "main"},
		"refs/tags/1.2 refs/tags/v1.2":   {Version: "1.2"},
		"refs/tags/v1.2 refs/tags/1.2":   {Version: "v1.2"},
		"refs/tags/next refs/tags/vnext": {Version: "next"},
	} {
		if got := strings.Join(s.Revisions(), " "); got != want {
			t.Errorf("%+v: %s, want %s", s, got, want)
		}
	}
}

// FuzzParse parses arbitrary sources. The directory of a parsed source must be
// inside the package. A source must not pass options to git or select a remote
// helper program.
func FuzzParse(f *testing.F) {
	for _, source := range []string{
		"./a//b", "../a", "git::https://h/r.git//a?ref=v1", "git@h:r.git//..", "ssh://-o/x", "https://h/a.zip//b?archive=x&c", "git::file:////a//b", "git::ext::x", "https://u:p@h/r.git",
	} {
		f.Add(source, "")
		f.Add(source, "1.0")
	}
	f.Fuzz(func(t *testing.T, text, version string) {
		s, err := Parse(text, version)
		if err != nil {
			return
		}
		if s.Dir != "" && !filepath.IsLocal(s.Dir) {
			t.Errorf("%q: the directory %q", text, s.Dir)
		}
		if s.Kind == Directory {
			return
		}
		if strings.HasPrefix(s.Package, "-") || strings.Contains(s.Package, "::") && s.Kind == Git {
			t.Errorf("%q: the package %q", text, s.Package)
		}
		for _, r := range s.Revisions() {
			if strings.HasPrefix(r, "-") || strings.Contains(r, ":") {
				t.Errorf("%q: the revision %q", text, r)
			}
		}
	})
}
