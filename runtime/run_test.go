// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLogLinesOfOnePrerequisiteAreThoseOfOpenPAI(t *testing.T) {
	t.Parallel()
	r := newRig(t, "sleep 0s")
	r.step("justecho", on("taskStarts", "echo 111", "echo 222"), on("taskSucceeds", "echo 333", "echo 444"))
	record := r.run()
	want := lines("[INFO] Starting to exec precommands", "111", "222", "[INFO] Precommands finished",
		"[INFO] USER COMMAND START", "[INFO] USER COMMAND END", "333", "444")
	running := regexp.MustCompile(`(?m)^\[INFO\] Running .*\n`) // only this runtime writes these lines
	if diff := cmp.Diff(want, running.ReplaceAllString(r.log(), "")); diff != "" {
		t.Errorf("runtime log (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(r.read("logs/runtime.log"), r.stderr.String()); diff != "" {
		t.Errorf("standard error is not a copy (-want +got)\n%s", diff)
	}
	if record.Code != 0 || record.Phrase != "Succeeded" {
		t.Errorf("record %+v", record)
	}
}

func TestEndCallbacksRunInReverseOrder(t *testing.T) {
	t.Parallel()
	r := newRig(t, "sleep 0s")
	r.step("first", on("taskStarts", "echo 111"), on("taskSucceeds", "echo 222"))
	r.step("later", on("taskStarts", "echo aaa"), on("taskSucceeds", "echo bbb"))
	r.run()
	want := lines("[INFO] Starting to exec precommands", "[INFO] Running prerequisite.script.first", "111",
		"[INFO] Running prerequisite.script.later", "aaa", "[INFO] Precommands finished",
		"[INFO] USER COMMAND START", "[INFO] USER COMMAND END",
		"[INFO] Running taskSucceeds of prerequisite.script.later", "bbb", "[INFO] Running taskSucceeds of prerequisite.script.first", "222")
	if diff := cmp.Diff(want, r.log()); diff != "" {
		t.Errorf("runtime log (-want +got)\n%s", diff)
	}
}
