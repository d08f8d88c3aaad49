//go:build unix

package runtime

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

func TestOrphansAreReaped(t *testing.T) {
	t.Parallel()
	if goruntime.GOOS != "linux" {
		return // orphans fall to process 1 elsewhere
	}
	// Each inner shell ends at once and leaves its child behind.
	r := newRig(t,
		"i=0; while [ $i -lt 100 ]; do sh -c ': & : & : & : & : & : & : & : & : & : &'; i=$((i+1)); done",
		"sleep 0.2",
		"grep -l '^State:.Z' /proc/[0-9]*/status 2>/dev/null | while read f; do grep -qs \"^PPid:.$PPID$\" $f && echo zombie; done || :",
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
	if goruntime.GOOS != "linux" {
		return // a process that leaves its group cannot be found elsewhere
	}
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

func TestServicesOfStartCallbacksLiveUntilTheLastEndCallback(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo alive >/dev/null; kill -0 $(cat pid)")
	r.step("service", on("taskStarts", "(while :; do echo tick; sleep 0.01; done) & echo $! >pid"), on("taskExits", "kill -0 $(cat pid)", "echo still there"))
	if record := r.run(); record.Code != 0 {
		t.Fatalf("record %+v\n%s", record, r.log())
	}
	if log := r.log(); !strings.Contains(log, "tick\n[INFO] USER COMMAND END\n") && !strings.Contains(log, "tick\n") || !strings.HasSuffix(strings.TrimRight(strings.ReplaceAll(log, "tick\n", ""), "\n"), "still there") {
		t.Errorf("log\n%s", log)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(r.read("work/pid")))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); groupMember(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the service outlived the task")
		}
	}
}

// groupMember reports whether the process still runs.
func groupMember(pid int) bool {
	if goruntime.GOOS != "linux" {
		return syscall.Kill(pid, 0) == nil
	}
	p, ok := readStat(pid)
	return ok && p.state != 'Z'
}

// Row 32: a background process that holds standard output open hung the job.
func TestRow32BackgroundProcessThatHoldsOutputOpen(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo before", "sleep 1000 &", "echo after")
	start := time.Now()
	record := r.run()
	if record.Code != 0 || r.output() != "before\nafter\n" {
		t.Errorf("record %+v, output %q", record, r.output())
	}
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("took %s", took)
	}
}

func TestKilledAtAnyMomentTheRecordIsAbsentOrComplete(t *testing.T) {
	t.Parallel()
	for i := range 12 {
		r := newRig(t, "echo user >>trace", "sleep 0.02")
		r.traced("a", "", "")
		cmd := r.process()
		time.Sleep(time.Duration(rand.IntN(120)) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		before := r.trace()
		text, err := os.ReadFile(r.config.RecordFile)
		complete := err == nil
		if complete {
			var record exitspec.Record
			if err := json.Unmarshal(text, &record); err != nil || record.Finished.IsZero() {
				t.Fatalf("run %d: record %q, error %v", i, text, err)
			}
		}
		begun, err := ReadJournal(r.config.Root)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Millisecond) // what a script that was killed with us had begun may still end
		before = r.trace()
		again := r.run()
		if len(begun) > 0 && r.trace() != before {
			t.Fatalf("run %d: %q became %q", i, before, r.trace())
		}
		if len(begun) > 0 && !complete && (again.Code == 0 || !strings.Contains(again.Reason, "nothing runs twice")) {
			t.Fatalf("run %d: record of the second runtime %+v", i, again)
		}
	}
}

// Row 22: the kubelet may start the containers of a Pod again.
func TestRow22StartedAgainAfterTheEndTheRecordIsTheSame(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo user >>trace; exit 7")
	first := r.run()
	second := r.run()
	if r.trace() != "user" || second.UserCode != first.UserCode || second.Reason != first.Reason {
		t.Errorf("trace %q, first %+v, second %+v", r.trace(), first, second)
	}
	r.config.Attempt++
	if r.run(); r.trace() != "user user" {
		t.Errorf("the next attempt did not run: %q", r.trace())
	}
}

func TestExitCodesOfSignals(t *testing.T) {
	t.Parallel()
	for signal, want := range map[string]int{"KILL": 137, "SEGV": 139, "ABRT": 134, "TERM": 143} {
		r := newRig(t, "kill -"+signal+" $$", "sleep 5")
		record := r.run()
		if record.UserCode != want || record.Signal != "SIG"+signal || record.Stopped {
			t.Errorf("%s: record %+v", signal, record)
		}
	}
}

func TestScriptsAreNotInArgumentsNorOnDisk(t *testing.T) {
	t.Parallel()
	if goruntime.GOOS != "linux" {
		return // arguments are read from /proc
	}
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
