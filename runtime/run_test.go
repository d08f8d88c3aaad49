// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import (
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
	if diff := cmp.Diff(want, r.log()); diff != "" {
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
	want := lines("[INFO] Starting to exec precommands", "111", "aaa", "[INFO] Precommands finished",
		"[INFO] USER COMMAND START", "[INFO] USER COMMAND END", "bbb", "222")
	if diff := cmp.Diff(want, r.log()); diff != "" {
		t.Errorf("runtime log (-want +got)\n%s", diff)
	}
}
