// SPDX-License-Identifier: MPL-2.0

//go:build linux

package main

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The signals by effect, as documented in docs/guides/runtime.md.
var (
	stops   = []int{2, 3, 15}
	ignored = []int{13, 17, 23, 27}
	faults  = []int{4, 5, 6, 7, 8, 11, 31}
	own     = []int{9, 19} // SIGKILL and SIGSTOP, which a process cannot catch
)

func TestEachSignalHasItsEffect(t *testing.T) {
	t.Parallel()
	kind := map[int]string{}
	for k, list := range map[string][]int{"stop": stops, "ignored": ignored, "fault": faults, "kernel": own} {
		for _, n := range list {
			kind[n] = k
		}
	}
	for n := 1; n <= 31; n++ {
		if kind[n] == "kernel" {
			continue
		}
		t.Run(fmt.Sprintf("%d %s", n, unix.SignalName(syscall.Signal(n))), func(t *testing.T) {
			t.Parallel()
			c, code, out := signaled(t, n, kind[n] == "ignored")
			text, _ := os.ReadFile(filepath.Join(c.dir, "got"))
			got := strings.TrimSpace(string(text))
			switch kind[n] {
			case "stop": // the script received the signal, and the task is reported as stopped
				if got != fmt.Sprint("signal ", n) || code == 0 || !strings.Contains(out, "USER COMMAND END") {
					t.Errorf("script got %q, code %d\n%s", got, code, out)
				}
			case "ignored":
				if got != "end" || code != 0 {
					t.Errorf("script got %q, code %d\n%s", got, code, out)
				}
			case "fault": // the signal terminates the program; the next run reports the fault
				cmd, text := c.command(t, program, "run")
				if err := cmd.Run(); got != "" || code == 0 || err == nil || !strings.Contains(c.record(t), "no script runs twice") {
					t.Errorf("script got %q, code %d\n%s\n%s", got, code, out, text)
				}
			default: // passed on
				if got != fmt.Sprint("signal ", n) || code != 0 {
					t.Errorf("script got %q, code %d\n%s", got, code, out)
				}
			}
		})
	}
}

// signaled sends a signal to a program whose script records signals. If the runtime
// ignores the signal, the script ends when a file appears. Otherwise, the signal ends
// the script.
func signaled(t *testing.T, n int, ignored bool) (c container, code int, out string) {
	t.Helper()
	trap := fmt.Sprintf("trap 'echo signal %d >got; exit 0' %d 2>/dev/null || :", n, n)
	if n == int(syscall.SIGCHLD) {
		trap = "" // the script's own children would trigger the trap
	}
	spec := worker(trap, ">started", "i=0; while [ ! -e end ] && [ $i -lt 3000 ]; do sleep 0.01; i=$((i+1)); done", "echo end >got")
	c = newContainer(t, spec)
	if cmd, out := c.command(t, program, "init"); cmd.Run() != nil {
		t.Fatalf("init: %s", out)
	}
	cmd, text := c.command(t, program, "run")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, err := os.Stat(filepath.Join(c.dir, "started")); err != nil; _, err = os.Stat(filepath.Join(c.dir, "started")) {
		time.Sleep(2 * time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.Signal(n)); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = cmd.Wait() // the saved state contains the result
	}()
	c.endScript(t, cmd, n, ignored, ended)
	if cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
		return c, -1, text.String()
	}
	return c, cmd.ProcessState.ExitCode(), text.String()
}

// endScript waits for the program to end. For an ignored signal, endScript
// creates the file that ends the script.
func (c container) endScript(t *testing.T, cmd *exec.Cmd, n int, ignored bool, ended <-chan struct{}) {
	t.Helper()
	for {
		select {
		case <-ended:
			return
		case <-time.After(300 * time.Millisecond):
		}
		if n == 20 || n == 21 || n == 22 {
			// These signals suspend the script's processes, as on a terminal.
			_ = cmd.Process.Signal(syscall.SIGCONT)
		}
		if !ignored {
			continue
		}
		if err := os.WriteFile(filepath.Join(c.dir, "end"), nil, 0o644); err != nil {
			t.Error(err)
		}
	}
}

func (c container) record(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(c.dir, "pai/logs/uid-17/exit-record.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTheProgramIsStatic checks that the program does not need an interpreter or a
// library from the image.
func TestTheProgramIsStatic(t *testing.T) {
	t.Parallel()
	f, err := elf.Open(program)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the program needs a dynamic linker")
		}
	}
	if libs, err := f.ImportedLibraries(); len(libs) > 0 || err != nil {
		t.Errorf("libraries %v, error %v", libs, err)
	}
}

// TestInitAndTaskRunInAPlainPod runs a hand-written Pod with an init container and a
// task container.
func TestInitAndTaskRunInAPlainPod(t *testing.T) {
	t.Parallel()
	c := newContainer(t, worker())
	if err := os.Remove(filepath.Join(c.dir, "run.json")); err != nil {
		t.Fatal(err)
	}
	c.environ = append(c.environ, `RUNTIME_CONFIG=commands: ["echo hello <% $secrets.name %> $FROM_INIT"]
runtimePlugin: [{plugin: cmd, parameters: {preCommands: ["echo before"], postCommands: ["echo after"]}}]`,
		`INIT_CONFIG=initPlugins: [{name: mine, command: "frameworkParser none.json || echo FROM_INIT=plugin >$PAI_RUNTIME_DIR/env"}, {name: userCommandRender, command: userCommandRender}]`)
	if err := os.WriteFile(filepath.Join(c.dir, "secret.yaml"), []byte("name: abc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if cmd, out := c.command(t, program, "init"); cmd.Run() != nil {
		t.Fatalf("init: %s", out)
	}
	c.environ = c.environ[:len(c.environ)-2] // the task container has neither variable
	cmd, out := c.command(t, filepath.Join(c.dir, "pai/runtime"))
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"hello abc plugin\n", "[openpai-runtime] before\n", "[openpai-runtime] after\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}
