// SPDX-License-Identifier: MPL-2.0

package shellquote

import (
	"os/exec"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWordQuotesOnlyWhatAShellWouldChange(t *testing.T) {
	cases := map[string]struct{ in, want string }{
		"a plain word stays":                     {"/data/train-1.csv", "/data/train-1.csv"},
		"an address with a tag is unchanged":     {"python:3.12@sha256", "python:3.12@sha256"},
		"the empty string is a word":             {"", "''"},
		"a space needs quotes":                   {"a b", "'a b'"},
		"a quote is closed, escaped and opened":  {"it's", `'it'\''s'`},
		"an expansion is not expanded":           {"$HOME", "'$HOME'"},
		"a line break is part of the word":       {"a\nb", "'a\nb'"},
		"a tilde is not a home directory":        {"~/x", "'~/x'"},
		"letters of other scripts are unchanged": {"räum", "räum"},
		"a command is not run":                   {"$x`y`", "'$x`y`'"},
		"a star is not expanded":                 {"*", "'*'"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Word(c.in)); diff != "" {
				t.Errorf("Word(%q) (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func TestAShellReadsWhatWasQuoted(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh on this machine")
	}
	for _, in := range []string{"", "plain", "two words", `"'$(id)` + "`id`\\", "a\nb", "* ? [x] #", "!x", "données"} {
		for _, quoted := range []string{Quote(in), Word(in)} {
			got, err := exec.Command(sh, "-c", "printf %s "+quoted).Output()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(in, string(got)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", quoted, diff)
			}
		}
	}
}
