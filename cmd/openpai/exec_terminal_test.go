// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestExecStartsAShell checks exec without a command, and the exit code of the
// shell.
func TestExecStartsAShell(t *testing.T) {
	t.Parallel()
	s := onTerminal(t, running(t), "exec", "worker:0")
	s.press("echo task-$((40+2))-$PAI_CURRENT_TASK_ROLE_NAME\r")
	s.waitFor("task-42-worker\n")
	s.press("exit 3\r")
	if code := s.end(); code != 3 {
		t.Errorf("exit code %d\n%s", code, s.All())
	}
}

// TestAnInterruptDuringExecReachesTheCommand checks the effect of Ctrl-C while a
// command runs in a task. Without a terminal in the task, openpai ends the session.
// The runtime of the task then ends the command. With -t, the command receives the
// key. The job continues.
func TestAnInterruptDuringExecReachesTheCommand(t *testing.T) {
	t.Parallel()
	const wait = "echo ready; while :; do sleep 0.1; done"
	for name, c := range map[string]struct {
		args    []string
		command string
		file    string // file that the command creates before it exits
		code    int
	}{
		"without a terminal": {[]string{"exec", "worker:0"}, `trap 'touch "$PAI_STORAGE_HERE/ended"; exit' HUP TERM; ` + wait, "ended", 130},
		"with a terminal":    {[]string{"exec", "-t", "worker:0"}, `trap 'touch "$PAI_STORAGE_HERE/caught"; exit 9' INT; ` + wait, "caught", 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := running(t)
			s := onTerminal(t, dir, append(c.args, "--", "sh", "-c", c.command)...)
			s.waitFor("ready")
			s.press("\x03")
			if code := s.end(); code != c.code {
				t.Errorf("exit code %d, want %d\n%s", code, c.code, s.All())
			}
			for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
				if _, err := os.Stat(filepath.Join(dir, c.file)); err == nil {
					break
				}
				if time.Now().After(end) {
					t.Fatalf("no file %s\n%s", c.file, s.All())
				}
			}
			status := onTerminal(t, dir, "status")
			if code := status.end(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			status.waitFor("job.train  RUNNING")
		})
	}
}
