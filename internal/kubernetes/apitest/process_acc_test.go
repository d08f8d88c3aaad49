// SPDX-License-Identifier: MPL-2.0

//go:build acc && linux

package apitest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// abandonEnv makes the test program start a process and exit without stopping it.
const abandonEnv = "OPENPAI_APITEST_ABANDON"

func TestMain(m *testing.M) {
	if os.Getenv(abandonEnv) == "" {
		os.Exit(m.Run())
	}
	dir, err := newDir()
	if err != nil {
		panic(err)
	}
	s := &Server{Dir: dir}
	if err := s.run("etcd"); err != nil {
		panic(err)
	}
	if _, err := os.Stdout.WriteString(dir + " " + strconv.Itoa(s.processes[0].cmd.Process.Pid)); err != nil {
		panic(err)
	}
	panic("exits like a test that exceeded its timeout")
}

func TestProcessesDieWithTheTest(t *testing.T) {
	tools := t.TempDir()
	if err := os.WriteFile(filepath.Join(tools, "etcd"), []byte("#!/bin/sh\nexec sleep 600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), abandonEnv+"=1", "KUBEBUILDER_ASSETS="+tools)
	out, err := cmd.Output()
	dir, number, ok := strings.Cut(string(out), " ")
	if err == nil || !ok {
		t.Fatalf("the test program ended with %v: %s", err, out)
	}
	pid, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	for range 200 {
		if !runs(pid) {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if runs(pid) {
		t.Errorf("process %d continues", pid)
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	mine, err := newDir()
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(mine)
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the directory %s still exists: %v", dir, err)
	}
	second, err := newDir()
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(second)
	if _, err := os.Stat(mine); err != nil {
		t.Errorf("a directory in use was removed: %v", err)
	}
}

// runs reports whether the process with the ID pid exists and is not a
// zombie.
func runs(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, state, _ := strings.Cut(string(text), ") ")
	return err == nil && !strings.HasPrefix(state, "Z")
}
