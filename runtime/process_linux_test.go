// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// processRuns reports whether a process exists and has not ended.
func processRuns(pid int) bool {
	p, ok := readStat(pid)
	return ok && p.state != 'Z'
}

// awaitReaping is a script that waits until the runtime has no zombie children.
// After half a minute, it prints a line for each remaining zombie.
const awaitReaping = `zombies() {
	grep -l '^State:.Z' /proc/[0-9]*/status 2>/dev/null | while read -r f; do grep -qs "^PPid:.$PPID$" "$f" && echo zombie; done || :
}
for _ in $(seq 300); do [ -n "$(zombies)" ] || break; sleep 0.1; done
zombies`

func TestOrphansAreReaped(t *testing.T) {
	t.Parallel()
	// Each inner shell exits immediately and leaves its child running.
	r := newRig(t,
		"i=0; while [ $i -lt 100 ]; do sh -c ': & : & : & : & : & : & : & : & : & : &'; i=$((i+1)); done",
		awaitReaping,
		"echo counted")
	if err := r.process().Wait(); err != nil {
		t.Fatalf("%v\n%s", err, r.stderr.String())
	}
	if got := r.output(); got != "counted\n" {
		t.Errorf("left: %q", got)
	}
}

func TestNothingOutlivesTheTask(t *testing.T) {
	t.Parallel()
	r := newRig(t, "sleep 1000 & echo $! >pids", "setsid sh -c 'echo $$ >>pids; exec sleep 1000' & ", "while [ $(wc -l <pids) -lt 2 ]; do sleep 0.01; done")
	r.step("service", on("taskStarts", "sleep 1000 & echo $! >service"))
	if err := r.process().Wait(); err != nil {
		t.Fatalf("%v\n%s", err, r.stderr.String())
	}
	for _, word := range strings.Fields(r.read("work/pids") + r.read("work/service")) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := readStat(pid); ok && p.state != 'Z' {
			t.Errorf("process %d is in state %c", pid, p.state)
		}
	}
}

// OpenPAI's original runtime exposes secrets on the command lines of plugins.
func TestScriptsAreNotInArgumentsNorOnDisk(t *testing.T) {
	t.Parallel()
	r := newRig(t, "tr '\\0' ' ' </proc/$$/cmdline; echo; ls -l /proc/$$/fd | wc -l; : <% $secrets.key %>")
	r.secret("key", "correct-horse-battery")
	r.run()
	if out := r.output(); strings.Contains(out, "secrets") || strings.Contains(out, ":") || !strings.Contains(out, "/dev/fd/3") {
		t.Errorf("arguments %q", out)
	}
	err := filepath.WalkDir(r.dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(name, r.config.SecretsDir) {
			return err
		}
		text, err := os.ReadFile(name)
		if strings.Contains(string(text), "correct-horse-battery") {
			err = fmt.Errorf("the secret is in %s", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
