// SPDX-License-Identifier: MPL-2.0

package exitspec

import (
	"slices"
	"strings"
	"testing"
)

// published is the list of codes in OpenPAI's exit specification.
var published = []int{
	0, -100, -101, -110, -111, -120, -200, -210, -220, -230, -300, -310,
	-1000, -1001, -1002, -1003, -1004, -1005, -1006, -1100,
	-1300, -1200, -1201, -1202, -1203, -1204, -1205,
	128, 130, 131, 132, 134, 135, 136, 137, 139, 141, 143,
	220, 221, 222, 223, 224, 225, 226, 228, 229, 230, 231, 232, 233, 234, 235,
	249, 250, 251, 252, 253, 254, 255, -8000, 256,
}

// own is the list of codes that this project adds to OpenPAI's specification.
var own = []int{
	236, 237, 238, CodeConfiguration,
	CodePrerequisite, CodeChecksum, CodeSourceUnreachable, CodeSourceRefused, CodePlugin, CodeNoSpace,
}

func TestEveryPublishedCodeIsThereOnce(t *testing.T) {
	t.Parallel()
	var got []int
	phrases := map[string]bool{}
	for _, e := range Entries() {
		got = append(got, e.Code)
		if phrases[e.Phrase] {
			t.Errorf("phrase %s occurs twice", e.Phrase)
		}
		phrases[e.Phrase] = true
	}
	want := slices.Sorted(slices.Values(append(slices.Clone(own), published...)))
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("codes\n%v\nwant\n%v", got, want)
	}
}

func TestEveryEntryIsComplete(t *testing.T) {
	t.Parallel()
	for _, e := range Entries() {
		if e.Phrase == "" || e.Issuer == "" || e.Causer == "" || e.Type == "" || e.Stage == "" || e.Behavior == "" || e.Reason == "" {
			t.Errorf("entry %d lacks a field: %+v", e.Code, e)
		}
		if e.Type != TypeSuccess && e.Type != TypeStop && e.Hint == "" {
			t.Errorf("entry %d has no hint", e.Code)
		}
		if strings.HasSuffix(e.Reason, ".") {
			t.Errorf("entry %d: the reason is part of a sentence", e.Code)
		}
	}
}

func TestEveryTextCompilesAndHasItsWords(t *testing.T) {
	t.Parallel()
	for _, e := range Entries() {
		for _, p := range e.Patterns {
			for _, text := range []*Regexp{p.UserLog, p.RuntimeLog} {
				if text == nil {
					continue
				}
				text.compiled()
				if len(text.Words) == 0 {
					t.Errorf("entry %d: %q would never be tried", e.Code, text.Expr)
				}
				for _, w := range text.Words {
					if w != strings.ToLower(w) {
						t.Errorf("entry %d: the word %q is not in lower case", e.Code, w)
					}
				}
			}
		}
	}
}

func TestEveryExitCodeHasAnEntry(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		code   int
		phrase string
		known  bool
	}{
		"a code of the specification":            {251, "JobGangAllocationTimeout", true},
		"success":                                {0, "Succeeded", true},
		"an unknown positive code":               {7, "PAIRuntimeExitAbnormally", false},
		"an unknown negative code":               {-42, "ContainerUndefinedNegativeExitCode", false},
		"a negative code that is known":          {-1004, "PodDeadlineExceeded", true},
		"the code for unknown failures":          {255, "PAIRuntimeUnknownFailed", true},
		"a code outside the range of exit codes": {4711, "PAIRuntimeExitAbnormally", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e, known := Lookup(tt.code)
			if e.Phrase != tt.phrase || known != tt.known {
				t.Errorf("%s, %t; want %s, %t", e.Phrase, known, tt.phrase, tt.known)
			}
		})
	}
}

func TestEachCodeHasTheReactionOfOpenPAI(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]string{250: "ALWAYS_RETRY", 251: "ALWAYS_BACKOFF_RETRY", 254: "NEVER_RETRY", 255: "RETRY_TO_MAX"} {
		if e, _ := Lookup(code); e.Behavior.Reaction() != want {
			t.Errorf("%d: %s, want %s", code, e.Behavior.Reaction(), want)
		}
	}
}
