// SPDX-License-Identifier: MPL-2.0

package framework

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

func TestCodesOfTheEngineTakePrecedenceOverTheSpecification(t *testing.T) {
	t.Parallel()
	ours := Codes([]exitspec.Entry{
		{Code: 0, Phrase: "Nothing"},
		{Code: -1200, Phrase: "Negative", Behavior: exitspec.Permanent},
		{Code: 137, Phrase: "Killed", Behavior: exitspec.Transient},
		{Code: 251, Phrase: "Gang", Behavior: exitspec.TransientConflict},
		{Code: 220, Phrase: "NotFound", Behavior: exitspec.Permanent},
		{Code: 255, Phrase: "Unclear", Behavior: exitspec.Unknown},
		{Code: 201, Phrase: "Ours", Behavior: exitspec.Unknown},
		{Code: 256, Phrase: "TooBig", Behavior: exitspec.Unknown},
	})
	tests := map[string]struct {
		code   int
		phrase string
		kind   string
	}{
		"0 is success":                {0, "Succeeded", "Succeeded"},
		"200 is a code of the engine": {200, "ContainerTransientFailed", "Transient Failed"},
		"201 of the engine takes precedence over another rule": {201, "ContainerTransientConflictFailed", "Transient Conflict Failed"},
		"210 is a code of the engine":                          {210, "ContainerPermanentFailed", "Permanent Failed"},
		"a transient code of the specification":                {137, "Killed", "Transient Failed"},
		"a conflict of the specification":                      {251, "Gang", "Transient Conflict Failed"},
		"a permanent code of the specification":                {220, "NotFound", "Permanent Failed"},
		"an unknown failure of the specification":              {255, "Unclear", "Unknown Failed"},
		"a code without a rule":                                {7, "ContainerUnrecognizedFailed", "Unknown Failed"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := FromExit(tt.code, "last words", ours)
			if int(c.Code) != tt.code || c.Phrase != tt.phrase || c.Type.String() != tt.kind {
				t.Errorf("%d %s %s, want %d %s %s", c.Code, c.Phrase, c.Type, tt.code, tt.phrase, tt.kind)
			}
			if c.Type.Attributes == nil {
				t.Error("attributes would be written as null")
			}
		})
	}
}

func TestFromExitKeepsTheMessage(t *testing.T) {
	t.Parallel()
	c := FromExit(7, "broken\n", nil)
	want := &CompletionStatus{
		Code: 7, Phrase: "ContainerUnrecognizedFailed", Type: CompletionType{Failed, []Attribute{}},
		Diagnostics: `Pod failed: PodPattern unmatched: {"containers":[{"name":"app","reason":"Error","message":"broken\n","code":7}]}`,
		Pod:         &PodCompletionStatus{Containers: []ContainerCompletionStatus{{Name: "app", Reason: "Error", Message: "broken\n", Code: 7}}},
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("status (-want +got)\n%s", diff)
	}
}

func TestPredefinedCodesAreThoseOfTheEngine(t *testing.T) {
	t.Parallel()
	want := map[int32]string{
		0: "Succeeded", 200: "Transient Failed", 201: "Transient Conflict Failed", 210: "Permanent Failed",
		-100: "Transient Failed", -101: "Transient Failed", -110: "Transient Failed", -111: "Transient Failed", -120: "Transient Failed",
		-200: "Permanent Failed", -210: "Permanent Failed", -220: "Permanent Failed", -230: "Permanent Failed",
		-300: "Unknown Failed", -310: "Unknown Failed",
	}
	got := map[int32]string{}
	for _, c := range predefined {
		got[c.Code] = FromCode(c.Code, "").Type.String()
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("codes (-want +got)\n%s", diff)
	}
}
