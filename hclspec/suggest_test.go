// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"strings"
	"testing"
)

func TestSuggest(t *testing.T) {
	t.Parallel()
	known := []string{"justecho", "worker", "ps", "memory_mb"}
	for input, want := range map[string]string{
		"justecho_wrong": ` Did you mean "justecho"?`,
		"workr":          ` Did you mean "worker"?`,
		"memoryMB":       ` Did you mean "memory_mb"?`,
		"wokrer":         ` Did you mean "worker"?`,
		"evaluator":      "",
		"x":              "",
		"":               "",
	} {
		if got := Suggest(input, known); got != want {
			t.Errorf("for %q: got %q, want %q", input, got, want)
		}
	}
	if got := Suggest("anything", nil); got != "" {
		t.Errorf("suggested %q from nothing", got)
	}
}

// Comparing long names takes time that is quadratic in their length.
func TestSuggestComparesNamesOfABoundedLength(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", maxName)
	if got := Nearest(long[1:]+"b", []string{long}); got != long {
		t.Errorf("the longest name is not suggested, but %q", got)
	}
	if got := Nearest(long+"b", []string{long + "c"}); got != "" {
		t.Errorf("suggested %q, which is too long to be a name", got)
	}
	if got := Nearest(long, []string{strings.Repeat("b", maxEdits+1) + long[maxEdits+1:]}); got != "" {
		t.Errorf("suggested %q, which differs in more than %d letters", got, maxEdits)
	}
}
