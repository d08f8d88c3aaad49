// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/logtime"
)

// OpenPAI's original runtime omits standard error from the runtime log, and
// removes spaces and backslashes. It also loses lines or delays them until the
// next status line.
func TestEveryLineOfACallbackIsInTheLogInOrder(t *testing.T) {
	t.Parallel()
	r := newRig(t, "true")
	r.step("a", on("taskStarts", "i=0; while [ $i -lt 300 ]; do echo out $i; echo err $i >&2; i=$((i+1)); done", `printf '  blanks  \nC:\\new\\\n\nlast without newline'`))
	r.run()
	want := []string{"[INFO] Starting to exec precommands", "[INFO] Running prerequisite.script.a"}
	for i := range 300 {
		want = append(want, fmt.Sprintf("out %d", i), fmt.Sprintf("err %d", i))
	}
	want = append(want, "  blanks  ", `C:\new\`, "", "last without newline", "[INFO] Precommands finished", "[INFO] USER COMMAND START", "[INFO] USER COMMAND END")
	if diff := cmp.Diff(lines(want...), r.log()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestStreamsAreMergedInTheOrderOfArrival writes each line only after the previous
// line is in the merged log. If both pipes contain lines at the same time, their
// order is undefined. OpenPAI's original runtime loses the order of the two
// streams in the merged log.
func TestStreamsAreMergedInTheOrderOfArrival(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	merged := filepath.Join(r.config.LogDir, "user-all", "current")
	r.spec.Commands = []string{
		"await() { until grep -qsx \"$1\" " + merged + "; do sleep 0.01; done; }",
		"for i in 1 2 3 4 5 6 7 8; do echo out $i; await \"out $i\"; echo err $i >&2; await \"err $i\"; done",
	}
	r.run()
	var want, stdout, stderr []string
	for i := range 8 {
		out, err := fmt.Sprintf("out %d", i+1), fmt.Sprintf("err %d", i+1)
		want, stdout, stderr = append(want, out, err), append(stdout, out), append(stderr, err)
	}
	if diff := cmp.Diff(lines(want...), r.output()); diff != "" {
		t.Errorf("merged (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(lines(stdout...), r.read("logs/user-stdout/current")); diff != "" {
		t.Errorf("stdout (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(lines(stderr...), r.read("logs/user-stderr/current")); diff != "" {
		t.Errorf("stderr (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(lines(stdout...), r.stdout.String()); diff != "" {
		t.Errorf("the container's stdout (-want +got)\n%s", diff)
	}
}

func TestNoByteOfALargeOutputIsLost(t *testing.T) {
	t.Parallel()
	r := newRig(t, "i=0; while [ $i -lt 2000 ]; do printf '%01000d\\n' $i; i=$((i+1)); done")
	r.secret("key", "never printed")
	r.run()
	want := &strings.Builder{}
	for i := range 2000 {
		fmt.Fprintf(want, "%01000d\n", i)
	}
	for name, got := range map[string]string{"file": r.read("logs/user-stdout/current"), "merged": r.output(), "copy": r.stdout.String()} {
		if got != want.String() {
			t.Errorf("%s: %d of %d bytes", name, len(got), want.Len())
		}
	}
}

func TestTheExitRecordContainsTheLastLines(t *testing.T) {
	t.Parallel()
	r := newRig(t, "for i in $(seq 1 30); do echo line $i; done; printf 'bad <% $secrets.key %> \\377'; exit 1")
	r.secret("key", "a-secret-value")
	record := r.run()
	if len(record.LastLines) != 20 || record.LastLines[18] != "line 30" || record.LastLines[19] != "bad *** \uFFFD" {
		t.Errorf("%q", record.LastLines)
	}
	r = newRig(t, "true")
	r.step("a", on("taskStarts", "echo why; exit 1"))
	if record := r.run(); len(record.LastLines) != 1 || record.LastLines[0] != "why" {
		t.Errorf("of a callback: %q", record.LastLines)
	}
}

func TestAFullDiskDoesNotHoldTheTaskUp(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); errors.Is(err, os.ErrNotExist) {
		return // only Linux has a device that is always full
	}
	r := newRig(t, "seq 1 100000", "echo done >trace")
	for _, dir := range []string{"user-all", "user-stdout", "user-stderr"} {
		if err := os.MkdirAll(filepath.Join(r.config.LogDir, dir), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/dev/full", filepath.Join(r.config.LogDir, dir, "current")); err != nil {
			t.Fatal(err)
		}
	}
	if record := r.run(); record.Code != 0 || r.trace() != "done" {
		t.Errorf("trace %q, record %+v", r.trace(), record)
	}
}

func TestTextInTheLogPipeReachesTheRuntimeLog(t *testing.T) {
	t.Parallel()
	r := newRig(t, `echo "through the pipe" >"$RUNTIME_LOG_PIPE"`, `echo "and again" >"$RUNTIME_LOG_PIPE"`)
	r.run()
	if log := r.log(); !strings.Contains(log, "through the pipe\n") || !strings.Contains(log, "and again\n") {
		t.Errorf("log\n%s", log)
	}
}

func TestAMissingLogPipeIsOnlyAWarning(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo ${RUNTIME_LOG_PIPE:-none}")
	if err := os.MkdirAll(filepath.Join(r.config.Root, logPipe, "in the way"), 0o755); err != nil {
		t.Fatal(err)
	}
	if record := r.run(); record.Code != 0 || r.output() != "none\n" || !strings.Contains(r.log(), "[WARNING] there is no RUNTIME_LOG_PIPE: ") {
		t.Errorf("record %+v, output %q\n%s", record, r.output(), r.log())
	}
}

// OpenPAI's original runtime silently ignores callbacks on unknown events.
func TestAnUnknownEventIsWarnedAbout(t *testing.T) {
	t.Parallel()
	r := newRig(t, "true")
	r.step("a", on("taskPauses", "echo never"))
	r.run()
	if log := r.log(); !strings.Contains(log, "[WARNING] the callback of prerequisite.script.a on the event taskPauses never runs") || strings.Contains(log, "\nnever") {
		t.Errorf("log\n%s", log)
	}
}

// In OpenPAI's original runtime, the failure analysis reads standard input and
// blocks forever.
func TestScriptsHaveNoStandardInput(t *testing.T) {
	t.Parallel()
	r := newRig(t, "cat", "read x || echo end", "exit 1")
	r.step("a", on("taskStarts", "cat"), on("taskFails", "cat"))
	if record := r.run(); record.UserCode != 1 || r.output() != "end\n" {
		t.Errorf("output %q, record %+v", r.output(), record)
	}
}

// The merged log must keep the order of lines from both streams if each line is in
// the log before the program writes the next line. The operating system does not
// define an order for lines that are in two pipes at the same time.
func TestLinesOfBothStreamsAreInOrder(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	all := filepath.Join(r.config.LogDir, "user-all/current")
	r.spec.Commands = []string{`say() { echo "$1"; until grep -qx "$1" '` + all + `'; do sleep 0.01; done; }`}
	var want strings.Builder
	for n := range 5 {
		r.spec.Commands = append(r.spec.Commands, fmt.Sprintf("say out%d; say err%d >&2", n, n))
		fmt.Fprintf(&want, "out%d\nerr%d\n", n, n)
	}
	before := time.Now()
	r.run()
	if diff := cmp.Diff(want.String(), r.output()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for name, last := range map[string]int64{"user-all": 45, "user-stdout": 20, "user-stderr": 20} {
		text, err := os.ReadFile(logtime.Name(filepath.Join(r.config.LogDir, name, "current")))
		if err != nil {
			t.Fatal(err)
		}
		index := logtime.NewIndex(bytes.NewReader(text))
		if first, end := index.At(0), index.At(last); first.Before(before) || end.Before(first) || end.After(time.Now()) {
			t.Errorf("%s: the first line of %v, the last of %v", name, first, end)
		}
	}
}
