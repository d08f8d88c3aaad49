// SPDX-License-Identifier: MPL-2.0

package view_test

import (
	"encoding/json"
	"testing"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

func TestEveryHintOfAnExitHasWords(t *testing.T) {
	t.Parallel()
	hints := []exitspec.Hint{exitspec.HintAskMeaning, exitspec.HintRestrictPods}
	for _, e := range exitspec.Entries() {
		if e.Hint != "" {
			hints = append(hints, e.Hint)
		}
	}
	for _, hint := range hints {
		if view.ExitAdvice(&exitspec.Record{Hint: hint}) == "" {
			t.Errorf("no advice for the hint %s", hint)
		}
	}
}

func TestAFailureShowsItsAdvice(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ record, want string }{
		"a hint":                              {`{"code": 255, "hint": "raise-memory"}`, "increase memory_mb, or use less memory"},
		"advice of the cluster operator":      {`{"code": 241, "hint": "ask-meaning", "advice": "ask #licenses"}`, "ask #licenses"},
		"a record of a version without hints": {`{"code": 255, "user_code": 5, "phrase": "PAIRuntimeUnknownFailed", "advice": "check the exit code of the commands and the end of the log"}`, "check the exit code of the commands and the end of the log"},
		"a hint of a newer version":           {`{"code": 255, "hint": "reboot-the-moon"}`, ""},
		"a success":                           {`{"code": 0}`, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var r exitspec.Record
			if err := json.Unmarshal([]byte(tt.record), &r); err != nil {
				t.Fatal(err)
			}
			if got := view.ExitAdvice(&r); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
