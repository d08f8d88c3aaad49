// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/term"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/terminal/terminaltest"
)

const slowJob = `
storage "here" {
  host_path = "."
}
prerequisite "script" "slow" {
  require_storages = [{ use = storage.here }]
  callback "taskStarts" {
    commands = ["while [ ! -e $PAI_STORAGE_HERE/go ]; do sleep 0.1; done"]
  }
}
job "train" {
  stop_grace = "3s"
  task_role "worker" {
    image         = "busybox"
    prerequisites = [prerequisite.script.slow]
    commands      = ["echo one; echo two", "printf '\\r10%%'; sleep 1; printf '\\r20%%\\r'; sleep 600"]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
`

const quickJob = `
job "train" {
  task_role "worker" {
    image    = "busybox"
    commands = ["echo one"]
    resources {
      gpu       = 0
      cpu       = 1
      memory_mb = 64
    }
  }
}
`

// session is an openpai process on a pseudo-terminal.
type session struct {
	*terminaltest.Terminal
	t    *testing.T
	keys *os.File
	cmd  *exec.Cmd
	done chan struct{} // closed when all output has been read
}

// onTerminal uses a terminal with 80 columns.
func onTerminal(t *testing.T, dir string, args ...string) *session {
	t.Helper()
	program, err := exec.LookPath("openpai")
	if err != nil {
		t.Fatal(err)
	}
	s := &session{Terminal: terminaltest.New(80, 24), t: t, cmd: exec.Command(program, args...), done: make(chan struct{})}
	s.cmd.Dir, s.cmd.Env = dir, append(os.Environ(), "TERM=xterm")
	if s.keys, err = pty.StartWithSize(s.cmd, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.done)
		_, _ = io.Copy(s, s.keys)
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		<-s.done
		_ = s.keys.Close()
	})
	return s
}

func (s *session) waitFor(text string) {
	s.t.Helper()
	for end := time.Now().Add(patience); !strings.Contains(s.String(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("the terminal does not show %q but\n%s", text, s.All())
		}
	}
}

// waitForTimes waits until the screen and its scrollback contain the text the
// given number of times.
func (s *session) waitForTimes(text string, times int) {
	s.t.Helper()
	for end := time.Now().Add(patience); strings.Count(s.All(), text) < times; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("the terminal has not shown %q %d times but\n%s", text, times, s.All())
		}
	}
}

func (s *session) end() int {
	s.t.Helper()
	<-s.done
	var failed *exec.ExitError
	if err := s.cmd.Wait(); err != nil && !errors.As(err, &failed) {
		s.t.Fatal(err)
	}
	return s.cmd.ProcessState.ExitCode()
}

// TestRunShowsTheLiveViewBelowTheOutput checks that the live view shows the current
// prerequisite, remains below the output of the job, and disappears after Ctrl-C.
func TestRunShowsTheLiveViewBelowTheOutput(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.pai.hcl"), []byte(slowJob), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { endAll(t, dir) })
	s := onTerminal(t, dir, "run")
	s.waitFor("\nworker[0]  prerequisite 1 of 1: prerequisite.script.slow\n")
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s.waitFor("\nworker[0] | one\nworker[0] | two\nworker[0] | 20%\nworker[0]  commands, ")
	if _, err := s.keys.Write([]byte("\x03")); err != nil {
		t.Fatal(err)
	}
	code, all := s.end(), s.All()
	if code != 130 {
		t.Errorf("exit code %d", code)
	}
	for _, line := range []string{"\nworker[0] | one\nworker[0] | two\n", "Interrupted: stopping", "\nworker[0] | 20%\n", "job.train STOPPED"} {
		if !strings.Contains(all, line) {
			t.Errorf("no %q", line)
		}
	}
	if strings.Contains(all, "worker[0]  ") {
		t.Error("the live view remains on the screen")
	}
	for _, seq := range s.Sequences() {
		if strings.HasSuffix(seq, "m") {
			t.Errorf("NO_COLOR is set, but the output contains the color sequence %q", seq)
		}
	}
	if t.Failed() {
		t.Log(all)
	}
}

// TestStatusWatchDrawsTheTableUntilQ checks that status --watch draws the table of
// jobs, and that q quits.
func TestStatusWatchDrawsTheTableUntilQ(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.pai.hcl"), []byte(slowJob), 0o644); err != nil {
		t.Fatal(err)
	}
	s := onTerminal(t, dir, "status", "--watch")
	s.waitFor("\n1 absent\n")
	if _, err := s.keys.Write([]byte("q")); err != nil {
		t.Fatal(err)
	}
	if code := s.end(); code != 0 {
		t.Errorf("exit code %d\n%s", code, s.All())
	}
}

// TestWatchFilters checks that a typed filter selects the matching job, and
// that q quits after Enter.
func TestWatchFilters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"main.pai.hcl": slowJob, "more.pai.hcl": strings.Replace(slowJob[strings.Index(slowJob, "job \""):], "train", "evaluate", 1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s := onTerminal(t, dir, "status", "--watch")
	s.waitFor("\n2 absent\n")
	s.waitFor("\n> evaluate")
	s.press("/")
	s.waitFor("filter: _")
	s.press("tr")
	s.waitFor("tr_   enter keep  esc clear")
	s.waitFor("> train") // the only job that matches the filter, so it is selected
	s.press("\r")
	s.press("q")
	if code := s.end(); code != 0 {
		t.Errorf("exit code %d\n%s", code, s.All())
	}
}

// running applies the slow job in a new directory and waits until its commands run.
func running(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{"main.pai.hcl": slowJob, "go": ""} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { endAll(t, dir) })
	s := onTerminal(t, dir, "apply", "--auto-approve")
	if code := s.end(); code != 0 {
		t.Fatalf("exit code %d\n%s", code, s.All())
	}
	s = onTerminal(t, dir, "logs", "-f")
	s.waitFor("worker[0] | two\n")
	s.press("\x03")
	s.end()
	return dir
}

// press sends keys.
func (s *session) press(keys string) {
	s.t.Helper()
	if _, err := s.keys.Write([]byte(keys)); err != nil {
		s.t.Fatal(err)
	}
}

// TestWatchOpensLogs opens logs with l, and returns with Ctrl-C.
func TestWatchOpensLogs(t *testing.T) {
	t.Parallel()
	s := onTerminal(t, running(t), "status", "--watch")
	s.waitFor("\n1 running\n")
	s.press("l")
	s.waitFor("Logs of job.train; press Ctrl-C to return.")
	s.waitFor("worker[0] | two\n")
	s.press("\x03")
	s.waitForTimes("\n1 running\n", 2)
	s.press("q")
	if code := s.end(); code != 0 {
		t.Errorf("exit code %d\n%s", code, s.All())
	}
}

// TestAKeyAfterLogsReturnsToTheTable checks status --watch at the end of a finished
// job's logs. A key press returns to the table; a signal ends the program.
func TestAKeyAfterLogsReturnsToTheTable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.pai.hcl"), []byte(quickJob), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { endAll(t, dir) })
	if s := onTerminal(t, dir, "run"); s.end() != 0 {
		t.Fatal(s.All())
	}
	key := func(key string) func(*session) {
		return func(s *session) {
			s.press(key)
			s.waitForTimes("\n1 succeeded\n", 2)
			s.press("q")
		}
	}
	for name, c := range map[string]struct {
		after func(*session)
		code  int
	}{
		"Enter":       {key("\r"), 0},
		"q":           {key("q"), 0},
		"Esc":         {key("\x1b"), 0},
		"Ctrl-C":      {key("\x03"), 0},
		"another key": {func(s *session) { s.press("x"); key("\r")(s) }, 0},
		"SIGTERM": {func(s *session) {
			if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				s.t.Fatal(err)
			}
		}, 130},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := onTerminal(t, dir, "status", "--watch")
			s.waitFor("\n1 succeeded\n")
			s.press("l")
			s.waitFor("Press q or Ctrl-C to return.")
			c.after(s)
			if code := s.end(); code != c.code {
				t.Errorf("exit code %d, want %d\n%s", code, c.code, s.All())
			}
		})
	}
}

// TestWatchRestoresTheTerminal interrupts openpai from a different process,
// before and after the user opens logs.
func TestWatchRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	master, fresh, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	want, err := term.GetState(int(master.Fd()))
	if err = errors.Join(err, fresh.Close(), master.Close()); err != nil {
		t.Fatal(err)
	}
	for name, before := range map[string]func(*session){
		"the table": func(*session) {},
		"the table after logs": func(s *session) {
			s.press("l")
			s.waitFor("Logs of job.train; press Ctrl-C to return.")
			s.waitFor("worker[0] | two\n")
			s.press("\x03")
			s.waitForTimes("\n1 running\n", 2)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := onTerminal(t, running(t), "status", "--watch")
			s.waitFor("\n1 running\n")
			before(s)
			if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if code := s.end(); code != 130 {
				t.Errorf("exit code %d\n%s", code, s.All())
			}
			got, err := term.GetState(int(s.keys.Fd()))
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("the terminal is in the state %+v, want %+v, error %v", got, want, err)
			}
			for _, seq := range []string{"\x1b[?1049l", "\x1b[?25h"} {
				if !slices.Contains(s.Sequences(), seq) {
					t.Errorf("no %q in %q", seq, s.Sequences())
				}
			}
		})
	}
}
