// SPDX-License-Identifier: MPL-2.0

package gitstate

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestTheStateOfTheWorkTreeIsRead(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	t.Setenv("GIT_CEILING_DIRECTORIES", filepath.Dir(t.TempDir()))
	dir := t.TempDir()
	git := func(args ...string) string {
		t.Helper()
		out, err := run(t.Context(), dir, append([]string{"-c", "user.name=dev", "-c", "user.email=dev@example.com"}, args...)...)
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return out
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := Read(dir, ""); got != nil || Read("", "") != nil {
		t.Errorf("without a repository: %+v", got)
	}
	git("init", "-q")
	if got := Read(dir, ""); got != nil {
		t.Errorf("without a commit: %+v", got)
	}
	write("runs", "")
	write("main.pai.hcl", "")
	git("add", ".")
	git("commit", "-qm", "start")
	commit := git("rev-parse", "HEAD")
	write("runs", "changed")
	write("untracked", "new")
	if got := Read(dir, "runs"); got == nil || got.Commit != commit || got.Dirty {
		t.Errorf("a change to a record was reported: %+v", got)
	}
	write("more.pai.hcl", "")
	if got := Read(dir, "runs"); got == nil || !got.Dirty {
		t.Errorf("a file of declarations that git does not track: %+v", got)
	}
	git("add", "more.pai.hcl")
	git("commit", "-qm", "more")
	write("main.pai.hcl", "changed")
	if got := Read(dir, "runs"); got == nil || !got.Dirty {
		t.Errorf("a changed file: %+v", got)
	}
}
