// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestARepositoryIsListedAtItsRevision(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- data/x.yaml --\n"+oneItem+"-- README.md --\nno item\n-- .hidden/y.yaml --\n"+oneItem)
	first := commit(t, dir)
	git(t, dir, "tag", "v1")
	if err := os.WriteFile(filepath.Join(dir, "data", "x.yaml"), []byte(oneItem+"version: '2'\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	second := commit(t, dir)
	for source, want := range map[string]string{
		"git::" + dir + "?ref=v1":              "",
		"git::" + dir + "?ref=" + first:        "",
		"git::" + dir + "?ref=main":            "2",
		"git::" + dir:                          "2",
		"git::" + dir + "//data?ref=" + second: "2",
		"git::file://" + dir + "//data":        "2",
	} {
		l := list(t, source, Options{})
		if len(l.Items) != 1 || l.Items[0].Version != want || len(l.Problems) > 0 {
			t.Errorf("%s contains %d items, want 1\n%s", source, len(l.Items), problems(l))
			continue
		}
		id := second
		if want == "" {
			id = first
		}
		if place := l.Items[0].Place; !strings.HasSuffix(place, "?ref="+id+"#data/x.yaml") {
			t.Errorf("%s was read from %s", source, place)
		}
	}
	for source, kind := range map[string]*hclspec.Entry{
		"git::" + dir + "?ref=v9":                         hclspec.ItemNotFound,
		"git::" + dir + "?ref=" + strings.Repeat("0", 40): hclspec.ItemNotFound,
		"git::" + dir + "//nowhere":                       hclspec.ItemNotFound,
		"git::" + dir + "/nothing":                        hclspec.MarketplaceUnreachable,
	} {
		if err := listError(source, Options{}); !Is(err, kind) {
			t.Errorf("%s: the error is %v, want %s", source, err, kind.Code)
		}
	}
}

// TestAHostileRepositoryRunsNothing checks that the client does not run programs
// from the repository or follow links out of it. Checking out the files would do
// both.
func TestAHostileRepositoryRunsNothing(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "outside.yaml")
	if err := os.WriteFile(outside, []byte(oneItem), 0o644); err != nil {
		t.Fatal(err)
	}
	touched := filepath.Join(t.TempDir(), "touched")
	dir := unpack(t, "-- good.yaml --\n"+strings.Replace(oneItem, "x", "good", 1)+
		"-- .gitattributes --\n*.yaml filter=run\n-- bad.yaml --\nname: [\n-- big.yaml --\n"+strings.Repeat("# much\n", 2000))
	for name, target := range map[string]string{"link.yaml": outside, "up.yaml": "../../outside.yaml", "dir": "/etc"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, dir)
	hook := filepath.Join(dir, ".git", "hooks", "post-checkout")
	if err := os.WriteFile(hook, []byte("#!/bin/sh\ntouch "+touched+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	git(t, dir, "config", "uploadpack.packObjectsHook", hook)
	git(t, dir, "config", "filter.run.smudge", "touch "+touched)
	limits := quick()
	limits.FileBytes = 10000
	l := list(t, "git::"+dir, Options{Limits: limits})
	if len(l.Items) != 1 || l.Items[0].Name != "good" {
		t.Errorf("%d items", len(l.Items))
	}
	for _, want := range []string{"unsafe-item link.yaml", "unsafe-item up.yaml", "unsafe-item dir", "item-not-parseable bad.yaml", "item-too-large big.yaml"} {
		if !strings.Contains(problems(l), want) {
			t.Errorf("no problem %q in\n%s", want, problems(l))
		}
	}
	if _, err := os.Stat(touched); err == nil {
		t.Error("a program of the repository was run")
	}
}

func TestAProtectedRepositoryIsReadOnlyWithItsToken(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- x.yaml --\n"+oneItem)
	commit(t, dir)
	program, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	backend := &cgi.Handler{Path: program, Args: []string{"http-backend"}, Env: []string{"GIT_PROJECT_ROOT=" + filepath.Dir(dir), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"}}
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:hush"))
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != want {
			w.Header().Set("WWW-Authenticate", `Basic realm="items"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		backend.ServeHTTP(w, r)
	})
	var foreign []string
	elsewhere := serve(t, func(w http.ResponseWriter, r *http.Request) {
		foreign = append(foreign, r.Header.Get("Authorization"))
		http.Redirect(w, r, url+r.URL.RequestURI(), http.StatusFound)
	})
	source := "git::" + url + "/" + filepath.Base(dir) + "/.git"
	if l := list(t, source, token("hush")); len(l.Items) != 1 {
		t.Errorf("%d items with the token, want 1", len(l.Items))
	}
	environ := append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "HOME="+t.TempDir())
	for name, o := range map[string]Options{"no token": {}, "another token": token("wrong")} {
		o.Environ = environ
		err := listError(source, o)
		if !Is(err, hclspec.MarketplaceNotPermitted) {
			t.Errorf("%s: the error is %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "wrong") {
			t.Errorf("the error shows the token: %v", err)
		}
	}
	// If a server redirects git, git must not send the token to the new host.
	redirect := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere+r.URL.RequestURI(), http.StatusFound)
	})
	if err := listError("git::"+redirect+"/"+filepath.Base(dir)+"/.git", token("hush")); err == nil || len(foreign) > 0 {
		t.Errorf("git followed a redirect with a token: %v, %q", err, foreign)
	}
}

func TestARepositoryThatIsTooLargeIsAnError(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- x.yaml --\n"+oneItem)
	commit(t, dir)
	limits := quick()
	limits.Files = 0
	if err := listError("git::"+dir, Options{Limits: limits}); !Is(err, hclspec.ItemTooLarge) {
		t.Errorf("the error is %v", err)
	}
}

func TestAMissingGitProgramIsReported(t *testing.T) {
	dir := unpack(t, "-- x.yaml --\n"+oneItem)
	t.Setenv("PATH", dir)
	set := newSet(Options{}, market("m", "git::"+dir))
	_, err := set.List(context.Background(), set.Declared("m"), Query{})
	if !Is(err, hclspec.MarketplaceUnreachable) || !strings.Contains(err.Error(), "not installed") {
		t.Errorf("the error is %v", err)
	}
}

// A few shared tree objects expand to an enormous listing.
func TestARepositoryThatExpandsIsRejected(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- x.yaml --\nname: x\n")
	commit(t, dir)
	tree := git(t, dir, "rev-parse", "HEAD^{tree}")
	for range 5 {
		var entries strings.Builder
		for n := range 10 {
			fmt.Fprintf(&entries, "040000 tree %s\tdirectory-with-a-long-name-%d\n", tree, n)
		}
		name := filepath.Join(t.TempDir(), "tree")
		if err := os.WriteFile(name, []byte(entries.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		tree = gitFrom(t, dir, name, "mktree")
	}
	git(t, dir, "update-ref", "refs/heads/main", git(t, dir, "commit-tree", "-m", "unfold", tree))
	limits := quick()
	limits.ListBytes = 64 << 10
	if err := listError("git::"+dir, Options{Limits: limits}); !Is(err, hclspec.ItemTooLarge) {
		t.Errorf("the error is %v", err)
	}
}

// The lock file must be the same in every clone.
func TestPlacesContainTheDeclaredURL(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- market/x.yaml --\n"+oneItem)
	id := commit(t, filepath.Join(dir, "market"))
	l := list(t, "git::./market", Options{Dir: dir})
	if want := "git::./market?ref=" + id + "#x.yaml"; len(l.Items) != 1 || l.Items[0].Place != want {
		t.Errorf("the places of the items are %v, want %s", l.Items[0].Place, want)
	}
}

// A plain web server does not support shallow fetches, because it does not run
// git.
func TestARepositoryIsReadFromAPlainWebServer(t *testing.T) {
	t.Parallel()
	dir := unpack(t, "-- x.yaml --\n"+oneItem)
	first := commit(t, dir)
	git(t, dir, "update-server-info")
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	for _, ref := range []string{"", "?ref=main", "?ref=" + first} {
		l := list(t, "git::"+server.URL+"/.git"+ref, Options{})
		if len(l.Items) != 1 || !strings.HasSuffix(l.Items[0].Place, "?ref="+first+"#x.yaml") {
			t.Errorf("%s contains %d items, want 1\n%s", ref, len(l.Items), problems(l))
		}
	}
}
