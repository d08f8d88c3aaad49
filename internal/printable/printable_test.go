// SPDX-License-Identifier: MPL-2.0

package printable

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInvisibleCharactersAreShown(t *testing.T) {
	cases := map[string]struct{ in, want string }{
		"plain text stays":                                {"exit code 7: ärger\t1", "exit code 7: ärger\t1"},
		"an escape sequence is shown":                     {"\x1b[2Jgone", `\x1b[2Jgone`},
		"a line break is shown":                           {"a\nb\rc", `a\nb\rc`},
		"a mark that reverses the direction is shown":     {"a\u202eb", `a\u202eb`},
		"a space without width is shown":                  {"a\u200bb", `a\u200bb`},
		"a control character of eight bits is shown":      {"\u009b2J", `\u009b2J`},
		"an invalid byte becomes a replacement character": {"a\xffb", `a�b`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Escape(c.in)); diff != "" {
				t.Errorf("Escape(%q) (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func TestControlSequencesAreRemoved(t *testing.T) {
	cases := map[string]struct{ in, want string }{
		"plain text stays":                     {"epoch 1\tloss 0.3", "epoch 1\tloss 0.3"},
		"colors are removed":                   {"\x1b[31;1mred\x1b[0m", "red"},
		"a title is removed":                   {"\x1b]0;title\x07text", "text"},
		"a progress bar shows its last state":  {"10%\r50%\r100%\r", "100%"},
		"other control characters are removed": {"a\x00\x08\u009cb", "ab"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Line(c.in)); diff != "" {
				t.Errorf("Line(%q) (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func FuzzNothingActsOnATerminal(f *testing.F) {
	f.Add("\x1b[31mred\x1b[0m\r50%\r\n\u202e\u009b2J")
	f.Fuzz(func(t *testing.T, text string) {
		for _, shown := range []string{Escape(text), Line(text)} {
			for _, r := range shown {
				if r < ' ' && r != '\t' || r == 0x7f || r >= 0x80 && r < 0xa0 {
					t.Fatalf("%q contains the control character %U", shown, r)
				}
			}
		}
	})
}
