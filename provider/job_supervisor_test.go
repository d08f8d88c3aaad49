// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// supervisorOf returns the process ID of the job's supervisor.
func supervisorOf(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, ".openpai", "frameworks", mnist, "supervisor.json"))
	if err != nil {
		t.Fatal(err)
	}
	var info struct{ Process struct{ PID int } }
	if err := json.Unmarshal(text, &info); err != nil || info.Process.PID <= 1 {
		t.Fatalf("%s: %v", text, err)
	}
	return info.Process.PID
}

func TestAJobWithoutASupervisorIsContinuedByApply(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	i, config := running(t, dir)
	before := supervisorOf(t, dir)
	if err := syscall.Kill(before, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	i = i.afresh(dir)
	eventually(t, func() bool {
		text := i.refresh()
		return text == "" && strings.Contains(i.state.String(), "supervisor is gone")
	})
	if supervisorOf(t, dir) != before {
		t.Error("reading started a supervisor")
	}
	if p := i.plan(config); p.action(i.state) != "update" {
		t.Errorf("%s\n%s", p.action(i.state), p.diagnostics)
	}
	if action, text := i.apply(config); action != "update" || supervisorOf(t, dir) == before {
		t.Errorf("%s, process %d after %d\n%s", action, supervisorOf(t, dir), before, text)
	}
	if p := i.plan(config); p.action(i.state) != "none" {
		t.Errorf("afterwards: %s\n%s", p.action(i.state), diff(i.state, p.state))
	}
}
