// SPDX-License-Identifier: MPL-2.0

package view

import (
	"encoding/json"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

func TestControlCharactersAreEscaped(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"plain text stays":                          {"echo 1\t2 ü 日本", "echo 1\t2 ü 日本"},
		"an escape sequence is escaped":             {"\x1b[2Jgone", `\x1b[2Jgone`},
		"a carriage return cannot hide a line":      {"safe\rrm -rf", `safe\rrm -rf`},
		"a character that reverses text is escaped": {"a\u202eb", `a\u202eb`},
		"a delete character is shown":               {"a\x7f", `a\x7f`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := clean(tt.text); got != tt.want {
				t.Errorf("clean(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestLinesAreWrappedOnlyAtSpaces(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text  string
		width int
		want  []string
	}{
		"lines are not wider than the width":        {"one two three", 7, []string{"one two", "three"}},
		"a long word is not broken":                 {"a verylongword b", 6, []string{"a", "verylongword", "b"}},
		"a sentence without a width is not wrapped": {"one two three", 0, []string{"one two three"}},
		"an empty string is one empty line":         {"", 10, []string{""}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, wrap(tt.text, tt.width)); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

// FuzzClean checks that the output is printable, and that compact JSON remains
// valid.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{"", "\x1b[31m", "a\u2066b", "<% $secrets.x %>", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, r := range clean(text) {
			if r != '\t' && !unicode.IsPrint(r) {
				t.Fatalf("clean(%q) keeps %q", text, r)
			}
		}
		if !json.Valid([]byte(compact(text))) {
			t.Fatalf("compact(%q) is no JSON", text)
		}
	})
}
