package output

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPrefixWriterWritesWholeLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		writes []string
		want   string
	}{
		"a line in one piece":         {[]string{"one\n"}, "a | one\n"},
		"a line in pieces":            {[]string{"o", "ne", "\n"}, "a | one\n"},
		"several lines at once":       {[]string{"one\ntwo\n\nthree\n"}, "a | one\na | two\na | \na | three\n"},
		"a last line without an end":  {[]string{"one\ntw", "o"}, "a | one\na | two\n"},
		"nothing":                     {nil, ""},
		"a line that is far too long": {[]string{strings.Repeat("x", maxLine), "y\n"}, "a | " + strings.Repeat("x", maxLine) + "\na | y\n"},
		"carriage returns are left":   {[]string{"1%\r2%\n"}, "a | 1%\r2%\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			w := (&LineSink{Out: &out}).Prefixed("a | ")
			for _, text := range c.writes {
				n, err := w.Write([]byte(text))
				if n != len(text) || err != nil {
					t.Fatalf("Write returned %d, %v", n, err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestPrefixWritersDoNotMixLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	sink := &LineSink{Out: &out}
	a, b := sink.Prefixed("a | "), sink.Prefixed("b | ")
	for _, w := range []struct {
		to   io.Writer
		text string
	}{{a, "first half, "}, {b, "other\n"}, {a, "second half\n"}} {
		if _, err := w.to.Write([]byte(w.text)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := out.String(), "b | other\na | first half, second half\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
