// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"bytes"
	"testing"
)

func TestFilesOfOthersDoNotActOnATerminal(t *testing.T) {
	t.Parallel()
	const file = "name: x\r\n\t# \x1b[2Jé\n"
	for name, c := range map[string]struct {
		width int
		want  string
	}{
		"a file or pipe receives them unchanged": {0, file},
		"a terminal gets escapes":                {80, "name: x\n\t# \\x1b[2Jé\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			if err := (&Streams{out: &out, width: c.width}).writeFile([]byte(file)); err != nil {
				t.Fatal(err)
			}
			if got := out.String(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
