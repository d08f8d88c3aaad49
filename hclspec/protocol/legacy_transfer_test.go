// SPDX-License-Identifier: MPL-2.0

package protocol

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// shell runs commands like the runtime, with the given PATH.
func shell(t *testing.T, dir, programs string, commands []string) (string, error) {
	t.Helper()
	cmd := exec.Command("/bin/sh", "-e", "-c", strings.Join(commands, "\n"))
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + programs, "HOME=" + dir, "GIT_CONFIG_GLOBAL=/dev/null"}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// programs creates a directory with links to the given programs only.
func programs(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// legacyCommands converts one prerequisite and returns its scripts.
func legacyCommands(t *testing.T, kind, uri string) (start, end []string) {
	t.Helper()
	file, diags := Parse("item.yaml", []byte("protocol_version: v2\nname: here\ntype: "+kind+"\nuri: [\""+uri+"\"]\n"))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	scripts := map[string][]string{}
	for _, c := range file.Items[0].Callbacks {
		scripts[c.Event] = c.Commands
	}
	return scripts["taskStarts"], scripts["taskSucceeds"]
}

func TestARepositoryIsCheckedOutAtItsCommit(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // the commands are for a POSIX shell
	}
	origin := filepath.Join(t.TempDir(), "origin.git")
	setup := `git init -q -b main ` + origin + ` && cd ` + origin + ` && git config user.email a@example.org && git config user.name a &&
		echo one > file && git add file && git commit -q -m one && git tag first && echo two > file && git commit -q -a -m two`
	if out, err := shell(t, t.TempDir(), os.Getenv("PATH"), []string{setup}); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := t.TempDir()
	start, _ := legacyCommands(t, "script", "file://"+origin+"@first")
	if out, err := shell(t, dir, os.Getenv("PATH"), start); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	content, err := os.ReadFile(filepath.Join(dir, "here", "origin", "file"))
	if err != nil || string(content) != "one\n" {
		t.Errorf("file holds %q, %v", content, err)
	}
}

func TestAMissingProgramIsNamed(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // the commands are for a POSIX shell
	}
	for program, uri := range map[string]string{"hdfs": "hdfs://h:9000/x", "git": "git@example.org:a/b.git"} {
		start, _ := legacyCommands(t, "script", uri)
		out, err := shell(t, t.TempDir(), programs(t, "mkdir"), start)
		if err == nil || !strings.Contains(out, "needs "+program) {
			t.Errorf("%s: %v, %s", program, err, out)
		}
	}
}

// hdfs is a fake HDFS client that uses a directory as its file system.
const hdfs = `#!/bin/sh -e
root=$(dirname "$0")/store
local_path() { echo "$root/${1#hdfs://}"; }
case "$2" in
-test) [ -e "$(local_path "$4")" ] ;;
-get) cp -r "$(local_path "$3")" "$4" ;;
-put) mkdir -p "$(dirname "$(local_path "$4")")" && cp -r "$3" "$(local_path "$4")" ;;
esac
`

func TestAStorageIsCopiedOutOnceAndInAfterwards(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		return // the commands are for a POSIX shell
	}
	bin := programs(t, "mkdir", "cp", "dirname", "sh")
	if err := os.WriteFile(filepath.Join(bin, "hdfs"), []byte(hdfs), 0o755); err != nil {
		t.Fatal(err)
	}
	start, end := legacyCommands(t, "storage", "hdfs://h/out/model")
	first := append(append(start[:len(start):len(start)], "echo weights > here/model/w"), end...)
	if out, err := shell(t, t.TempDir(), bin, first); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := t.TempDir()
	second := append(append(start[:len(start):len(start)], "read line < here/model/w", "echo again > here/model/w"), end...)
	if out, err := shell(t, dir, bin, second); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	kept, err := os.ReadFile(filepath.Join(bin, "store", "h", "out", "model", "w"))
	if err != nil || string(kept) != "weights\n" {
		t.Errorf("the storage holds %q, %v", kept, err)
	}
}

func TestSupportedAddressesOfTheOlderFormatBecomeCommands(t *testing.T) {
	t.Parallel()
	p := &hclspec.Prerequisite{Type: "script", Name: "here"}
	for uri, want := range map[string]string{
		"https://github.com/a/b":                            "git clone --quiet -- https://github.com/a/b here/b",
		"https://github.com/a/b.git@v1":                     "checkout --quiet v1",
		"github.com/a/b@0123abc":                            "git clone --quiet -- https://github.com/a/b here/b",
		"git@github.com:a/b.git":                            "git clone --quiet -- git@github.com:a/b.git here/b",
		"https://gitlab.example.org/g/a/b@0123abc":          "git clone --quiet -- https://gitlab.example.org/g/a/b here/b",
		"https://example.org/a/c.zip@latest":                "-o here/c.zip@latest https://example.org/a/c.zip@latest",
		"https://github.com/a/b/releases/download/v1/c.zip": "-o here/c.zip https://github.com/a/b/releases/download/v1/c.zip",
		"https://user@example.org/x.tar.gz":                 "-o here/x.tar.gz https://user@example.org/x.tar.gz",
		"http://example.org/a b;rm":                         "'here/a b;rm' 'http://example.org/a b;rm'",
		"http://example.org/":                               "http://example.org/",
		"/mnt/set":                                          "ln -sfn /mnt/set here/set",
		"nfs://server/export":                               "",
		"relative":                                          "",
	} {
		before, _, ok := legacyTransfer(p, uri)
		if ok != (want != "") || !strings.Contains(strings.Join(before, "\n"), want) {
			t.Errorf("%s: %v, %q, want %q", uri, ok, before, want)
		}
	}
}
