// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/marketplace/marketplacetest"
)

func unpack(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// quick returns limits with short pauses, so that a failing source fails quickly.
func quick() *Limits {
	l := DefaultLimits
	l.Pause, l.Wait = time.Millisecond, 3*time.Second
	return &l
}

func market(name, source string) *hclspec.Marketplace {
	return &hclspec.Marketplace{Name: name, Source: source}
}

func newSet(o Options, declared ...*hclspec.Marketplace) *Set {
	if o.Limits == nil {
		o.Limits = quick()
	}
	if o.Environ == nil {
		o.Environ = os.Environ()
	}
	return NewSet(declared, o)
}

func list(t *testing.T, source string, o Options) *Listing {
	t.Helper()
	set := newSet(o, market("m", source))
	l, err := set.List(context.Background(), set.Declared("m"), Query{})
	if err != nil {
		t.Fatalf("list %s: %s", source, err)
	}
	return l
}

func listError(source string, o Options) error {
	set := newSet(o, market("m", source))
	_, err := set.List(context.Background(), set.Declared("m"), Query{})
	return err
}

// git runs git without user or system settings.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	return gitFrom(t, dir, os.DevNull, args...)
}

func gitFrom(t *testing.T, dir, input string, args ...string) string {
	t.Helper()
	in, err := os.Open(input)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, in
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "HOME="+dir,
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org",
		"GIT_ALLOW_PROTOCOL=file")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %s: %s", strings.Join(args, " "), err, said.String())
	}
	return strings.TrimSpace(string(out))
}

// commit commits all changes. It creates the repository if necessary.
func commit(t *testing.T, dir string) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, ".git")); err != nil {
		git(t, dir, "init", "--quiet", "--initial-branch=main")
	}
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "--quiet", "--message=items")
	return git(t, dir, "rev-parse", "HEAD")
}

func problems(l *Listing) string {
	var b strings.Builder
	for _, p := range l.Problems {
		b.WriteString(p.Kind.Code + " " + p.Error() + "\n")
	}
	return b.String()
}

// hashes returns the content hashes of the items in a listing, by type and name.
func hashes(l *Listing) map[string]string {
	all := map[string]string{}
	for _, i := range l.Items {
		all[i.Type+"/"+i.Definition()] = i.Hash()
	}
	return all
}

func tokenOf(value string) func(*hclspec.Marketplace) (string, error) {
	return func(*hclspec.Marketplace) (string, error) { return value, nil }
}

func newRESTServer(t *testing.T) *marketplacetest.Server {
	t.Helper()
	s := marketplacetest.New()
	t.Cleanup(s.Close)
	return s
}

func token(value string) Options { return Options{Token: tokenOf(value)} }
