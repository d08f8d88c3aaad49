// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

func TestServicesOfStartCallbacksLiveUntilTheLastEndCallback(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo alive >/dev/null; kill -0 $(cat pid)")
	r.step("service", on("taskStarts", "(while :; do echo tick; sleep 0.01; done) & echo $! >pid"), on("taskExits", "kill -0 $(cat pid)", "echo still there"))
	if record := r.run(); record.Code != 0 {
		t.Fatalf("record %+v\n%s", record, r.log())
	}
	log := r.log()
	if !strings.Contains(log, "tick\n") {
		t.Errorf("the output of the service is not in\n%s", log)
	}
	want := lines("[INFO] Starting to exec precommands", "[INFO] Running prerequisite.script.service", "[INFO] Precommands finished",
		"[INFO] USER COMMAND START", "[INFO] USER COMMAND END", "[INFO] Running taskExits of prerequisite.script.service", "still there")
	if diff := cmp.Diff(want, strings.ReplaceAll(log, "tick\n", "")); diff != "" {
		t.Errorf("the log without the output of the service (-want +got)\n%s", diff)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(r.read("work/pid")))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); processRuns(pid); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the service outlived the task")
		}
	}
}

// This test is for the race detector: the runtime reads a callback's last output
// while a background process prints.
func TestATaskSucceedsWhileBackgroundProcessesPrint(t *testing.T) {
	t.Parallel()
	r := newRig(t, "sleep 0.1")
	for i := range 5 {
		r.step(fmt.Sprint("s", i), on("taskStarts", "while :; do echo noise; done &", "sleep 0.02"))
	}
	if record := r.run(); record.Code != 0 {
		t.Errorf("record %+v", record)
	}
}

// In OpenPAI's original runtime, a background process that keeps standard output
// open blocks the job forever.
func TestABackgroundProcessThatHoldsOutputOpenDoesNotHoldTheTask(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo before", "sleep 1000 &", "echo after")
	if record := r.run(); record.Code != 0 || r.output() != "before\nafter\n" { // run has a time limit
		t.Errorf("record %+v, output %q", record, r.output())
	}
}

func TestKilledAtAnyMomentTheRecordIsAbsentOrComplete(t *testing.T) {
	t.Parallel()
	for i := range 12 {
		r := newRig(t, "echo user >>trace", "sleep 0.02")
		r.traced("a", "", "")
		r.processKilledAfter(time.Duration(rand.IntN(120)) * time.Millisecond)
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
		before := r.trace()
		again := r.run()
		if len(begun) > 0 && r.trace() != before {
			t.Fatalf("run %d: %q became %q", i, before, r.trace())
		}
		if len(begun) > 0 && !complete && (again.Code == 0 || !strings.Contains(again.Reason, "no script runs twice")) {
			t.Fatalf("run %d: record of the second runtime %+v", i, again)
		}
	}
}

// The kubelet may restart the containers of a Pod.
func TestStartedAgainAfterTheEndTheRecordIsTheSame(t *testing.T) {
	t.Parallel()
	r := newRig(t, "echo user >>trace; exit 7")
	first := r.run()
	message := r.read("termination")
	if err := os.Remove(r.config.TerminationFile); err != nil { // a new container has new files
		t.Fatal(err)
	}
	second := r.run()
	if got := r.read("termination"); got != message {
		t.Errorf("the second message is %q, want %q", got, message)
	}
	if r.trace() != "user" || second.UserCode != first.UserCode || second.Reason != first.Reason {
		t.Errorf("trace %q, first %+v, second %+v", r.trace(), first, second)
	}
	r.config.Attempt++
	if r.run(); r.trace() != "user user" {
		t.Errorf("the next attempt did not run: %q", r.trace())
	}
}

func TestEachSignalHasItsExitCode(t *testing.T) {
	t.Parallel()
	for signal, want := range map[string]int{"KILL": 137, "SEGV": 139, "ABRT": 134, "TERM": 143} {
		r := newRig(t, "kill -"+signal+" $$", "sleep 5")
		record := r.run()
		if record.UserCode != want || record.Signal != "SIG"+signal || record.Stopped {
			t.Errorf("%s: record %+v", signal, record)
		}
	}
}
