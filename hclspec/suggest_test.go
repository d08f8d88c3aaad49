// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"fmt"
	"strings"
	"testing"
)

func TestAMisspelledNameGetsASuggestion(t *testing.T) {
	t.Parallel()
	known := []string{"justecho", "worker", "ps", "memory_mb"}
	for input, want := range map[string]string{
		"justecho_wrong": ` Did you mean "justecho"?`,
		"workr":          ` Did you mean "worker"?`,
		"memoryMB":       ` Did you mean "memory_mb"?`,
		"wokrer":         ` Did you mean "worker"?`,
		"evaluator":      "",
		"pz":             ` Did you mean "ps"?`,
		"p":              ` Did you mean "ps"?`,
		"wrkr":           ` Did you mean "worker"?`,
		"wkr":            "",
		"x":              "",
		"":               "",
		"wrker*":         ` Did you mean "worker"?`,
		"*ekcho":         ` Did you mean "justecho"?`,
		"jst*cho":        ` Did you mean "justecho"?`,
		"worke?s":        ` Did you mean "worker"?`,
		"eval*":          "",
		"*":              "",
		"x*":             "",
	} {
		if got := Suggest(input, known); got != want {
			t.Errorf("for %q: got %q, want %q", input, got, want)
		}
	}
	if got := Suggest("anything", nil); got != "" {
		t.Errorf("suggested %q from nothing", got)
	}
}

// All 301 names are close to the input. Suggest returns only the closest name.
func TestSuggestReturnsOnlyTheClosestNames(t *testing.T) {
	t.Parallel()
	var known []string
	for i := range 300 {
		known = append(known, fmt.Sprintf("sweep-%03d-train", i))
	}
	known = append(known, "sweep-299-train-b")
	if got, want := Suggest("sweep-299-trian", known), ` Did you mean "sweep-299-train"?`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Suggest("sweep-301-train", known), ` Did you mean "sweep-001-train" or "sweep-031-train" or "sweep-101-train"?`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAMisspelledAddressGetsASuggestion(t *testing.T) {
	t.Parallel()
	known := []string{"job.a", "job.train", `job.exp["lr-1"]`, "prerequisite.script.prep", "module.m.job.train", "storage.data"}
	for input, want := range map[Address]string{
		"job.b":                    "",
		"job.trian":                ` Did you mean "job.train"?`,
		"job.tr":                   ` Did you mean "job.train"?`,
		"job.exq":                  ` Did you mean "job.exp"?`, // of a for_each
		`job.exp["lr-2"]`:          ` Did you mean job.exp["lr-1"]?`,
		"module.m.job.trian":       ` Did you mean "module.m.job.train"?`,
		"prerequisite.script.perp": ` Did you mean "prerequisite.script.prep"?`,
		"prerequisite.scirpt.prep": ` Did you mean "prerequisite.script.prep"?`,
		"storage.dat":              ` Did you mean "storage.data"?`,
	} {
		if got := SuggestAddress(input, known); got != want {
			t.Errorf("for %s: got %q, want %q", input, got, want)
		}
	}
}

// The time for comparing two names is quadratic in their length.
func TestSuggestComparesNamesOfABoundedLength(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", maxName)
	if got := Nearest(long[1:]+"b", []string{long}); got != long {
		t.Errorf("suggested %q, not the longest name", got)
	}
	if got := Nearest(long+"b", []string{long + "c"}); got != "" {
		t.Errorf("suggested %q, which is too long to be a name", got)
	}
	if got := Nearest(long, []string{strings.Repeat("b", maxEdits+1) + long[maxEdits+1:]}); got != "" {
		t.Errorf("suggested %q, which differs in more than %d letters", got, maxEdits)
	}
}
