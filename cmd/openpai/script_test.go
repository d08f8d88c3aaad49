// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/openpai/terraform-provider-openpai/internal/local"
)

// TestMain lets the test binary act as openpai. Scripts run the binary under that
// name. The binary starts itself again for supervisors and tasks.
func TestMain(m *testing.M) {
	pauseTask(os.Args)
	if code, handled := local.Entrypoint(os.Args); handled {
		os.Exit(code)
	}
	testscript.Main(m, map[string]func(){"openpai": checked, "wget": wget, "greet": greet, "gh": gh})
}

// patience is the timeout for waits in scripts.
const patience = 2 * time.Minute

// TestEachScriptPasses runs testdata/script. Each script tests one command or one
// failure. The commands below extend the commands of testscript.
func TestEachScriptPasses(t *testing.T) {
	t.Parallel()
	examples, err := filepath.Abs("../../examples")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("EXAMPLES", examples)
			env.Setenv("README", filepath.Join(examples, "..", "README.md"))
			env.Setenv("MODULES", filepath.Join(examples, "..", "docs", "guides", "modules.md"))
			env.Setenv("NO_COLOR", "1")
			env.Defer(func() { endAll(t, env.WorkDir) })
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":          cmdExits,
			"waitfile":       cmdWaitFile,
			"killsupervisor": cmdKillSupervisor,
			"process":        cmdProcess,
			"hides":          cmdHides,
			"snapshot":       cmdSnapshot,
			"mode":           cmdMode,
			"in-order":       cmdInOrder,
			"serve":          cmdServe,
			"servegit":       cmdServeGit,
			"marketplace":    cmdMarketplace,
			"extract":        cmdExtract,
			"stages":         cmdStages,
			"held":           cmdHeld,
			"forward":        cmdForward,
		},
	})
}

// endAll kills the processes that a script left running.
func endAll(t *testing.T, dir string) {
	for _, state := range find(dir, ".openpai") {
		workspace := filepath.Dir(state)
		c, err := local.Open(workspace, local.Options{})
		if err != nil {
			t.Errorf("clean up %s: %v", workspace, err)
			continue
		}
		pids, err := supervisors(workspace)
		if err != nil {
			t.Errorf("clean up %s: %v", workspace, err)
		}
		for _, pid := range pids { // a failed script may have suspended the process
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
		entries, err := os.ReadDir(filepath.Join(state, "frameworks"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("clean up %s: %v", workspace, err)
		}
		for _, e := range entries {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			if err := c.Delete(ctx, e.Name()); err != nil {
				t.Errorf("clean up %s: %v", workspace, err)
			}
			cancel()
		}
	}
}

func find(dir, name string) []string {
	var found []string
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Name() == name {
			found = append(found, path)
		}
		return nil
	})
	return found
}

// cmdExits implements exits CODE COMMAND...: the command must exit with CODE.
func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit interface{ ExitCode() int }
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%s ended with %d, want %d", strings.Join(args[1:], " "), got, want)
	}
}

// until waits for the condition, at most as long as patience, and otherwise
// fails the script.
func until(ts *testscript.TestScript, what string, condition func() bool) {
	for end := time.Now().Add(patience); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("%s did not happen in %s", what, patience)
		}
	}
}

// cmdWaitFile implements waitfile FILE [TEXT]: it waits until a file contains TEXT.
// Without TEXT, it waits until the file is not empty.
func cmdWaitFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: waitfile FILE [TEXT]")
	}
	name, text := ts.MkAbs(args[0]), ""
	if len(args) == 2 {
		text = args[1]
	}
	until(ts, args[0], func() bool {
		content, err := os.ReadFile(name)
		return err == nil && len(content) > 0 && bytes.Contains(content, []byte(text))
	})
}

// cmdKillSupervisor implements killsupervisor DIR: it sends SIGKILL to every supervisor
// of the workspace.
func cmdKillSupervisor(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: killsupervisor DIR")
	}
	pids, err := supervisors(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(pids) == 0 {
		ts.Fatalf("%s has no supervisor", args[0])
	}
	for _, pid := range pids {
		ts.Check(syscall.Kill(pid, syscall.SIGKILL))
		until(ts, "the end of the supervisor", func() bool { return !alive(pid) })
	}
}

// supervisors returns process IDs.
func supervisors(dir string) ([]int, error) {
	var pids []int
	for _, name := range find(filepath.Join(dir, ".openpai"), "supervisor.json") {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var supervisor struct {
			Process struct {
				PID int `json:"pid"`
			} `json:"process"`
		}
		if err := json.Unmarshal(content, &supervisor); err != nil {
			return nil, err
		}
		if supervisor.Process.PID <= 1 {
			return nil, fmt.Errorf("%s names no process", name)
		}
		pids = append(pids, supervisor.Process.PID)
	}
	return pids, nil
}

// cmdProcess implements process FILE: the process whose ID is in FILE must be
// running. With !, cmdProcess waits until the process has ended.
func cmdProcess(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: process FILE")
	}
	pid, err := strconv.Atoi(strings.TrimSpace(ts.ReadFile(args[0])))
	ts.Check(err)
	if neg {
		until(ts, "the end of process "+strconv.Itoa(pid), func() bool { return !alive(pid) })
		return
	}
	if !alive(pid) {
		ts.Fatalf("process %d is gone", pid)
	}
}

// alive reports whether a process exists and is not a zombie.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) || !procExists()
	}
	// A zombie with running threads still holds its files and locks.
	_, after, _ := bytes.Cut(stat, []byte(") "))
	fields := strings.Fields(string(after))
	return fields[0] != "Z" || fields[17] != "1"
}

func procExists() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}

// cmdHides implements hides TEXT DIR [EXCEPT]: no file below DIR may contain
// TEXT. It skips files whose path contains EXCEPT.
func cmdHides(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: hides TEXT DIR [EXCEPT]")
	}
	checked := 0
	err := filepath.WalkDir(ts.MkAbs(args[1]), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || (len(args) == 3 && strings.Contains(path, args[2])) {
			return err
		}
		content, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // a supervisor has just renamed it
		}
		checked++
		if bytes.Contains(content, []byte(args[0])) {
			ts.Fatalf("%s holds %q", path, args[0])
		}
		return err
	})
	ts.Check(err)
	if checked == 0 {
		ts.Fatalf("no file below %s", args[1])
	}
}

// cmdSnapshot implements snapshot DIR FILE: it writes the mode, digest,
// modification time and name of every file below DIR to FILE.
func cmdSnapshot(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: snapshot DIR FILE")
	}
	root := ts.MkAbs(args[0])
	var lines []string
	ts.Check(filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		var content []byte
		if info.Mode().IsRegular() {
			if content, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		rel, err := filepath.Rel(root, path)
		lines = append(lines, fmt.Sprintf("%s %x %d %s\n", info.Mode(), sha256.Sum256(content), info.ModTime().UnixNano(), rel))
		return err
	}))
	slices.Sort(lines)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(strings.Join(lines, "")), 0o644))
}

// cmdMode implements mode OCTAL NAME DIR: all files called NAME below DIR must have
// the mode OCTAL, and at least one must exist.
func cmdMode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: mode OCTAL NAME DIR")
	}
	want, err := strconv.ParseUint(args[0], 8, 32)
	ts.Check(err)
	files := find(ts.MkAbs(args[2]), args[1])
	if len(files) == 0 {
		ts.Fatalf("there is no %s below %s", args[1], args[2])
	}
	for _, name := range files {
		info, err := os.Stat(name)
		ts.Check(err)
		if got := info.Mode().Perm(); got != fs.FileMode(want) {
			ts.Fatalf("%s has mode %o, want %o", name, got, want)
		}
	}
}

// cmdInOrder implements in-order FILE TEXT...: FILE must contain these texts in this
// order, possibly with other text between them. stdout and stderr are the output of
// the last command.
func cmdInOrder(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: in-order FILE TEXT...")
	}
	content := ts.ReadFile(args[0])
	rest := content
	for _, text := range args[1:] {
		at := strings.Index(rest, text)
		if at < 0 {
			ts.Fatalf("%q is missing, or not in this order, in\n%s", text, content)
		}
		rest = rest[at+len(text):]
	}
}
