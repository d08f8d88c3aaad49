// SPDX-License-Identifier: MPL-2.0

package output

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/terminal"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/terminal/terminaltest"
	"github.com/openpai/terraform-provider-openpai/internal/logtime"
)

func TestPrefixWriterWritesWholeLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		writes []string
		want   string
	}{
		"a line in one piece":                     {[]string{"one\n"}, "a | one\n"},
		"a line in pieces":                        {[]string{"o", "ne", "\n"}, "a | one\n"},
		"several lines at once":                   {[]string{"one\ntwo\n\nthree\n"}, "a | one\na | two\na | \na | three\n"},
		"a last line without an end":              {[]string{"one\ntw", "o"}, "a | one\na | two\n"},
		"nothing":                                 {nil, ""},
		"a line above the length limit":           {[]string{strings.Repeat("x", maxLine), "y\n"}, "a | " + strings.Repeat("x", maxLine) + "\na | y\n"},
		"a bar that ends with carriage returns":   {[]string{"1%\r", "2%\r3%\r\n", "next\n"}, "a | 3%\na | next\n"},
		"a bar that begins with carriage returns": {[]string{"\r1%", "\r2%", "\r3%"}, "a | 3%\n"},
		"a bar in pieces":                         {[]string{"\r1", "0%", "\r", "20%", "\n"}, "a | 20%\n"},
		"a progress bar above the length limit":   {[]string{strings.Repeat("1%\r", maxLine), "2%\n"}, "a | 2%\n"},
		"lines of another system":                 {[]string{"one\r\ntwo\r", "\n"}, "a | one\na | two\n"},
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

// TestProgressBarsStayBelowFinishedLinesOnATerminal draws two progress bars. Each bar
// must disappear before its final line appears.
func TestProgressBarsStayBelowFinishedLinesOnATerminal(t *testing.T) {
	t.Parallel()
	term := terminaltest.New(12, 8)
	screen := terminal.New(terminal.Outputs{
		Out: term, Err: term, OutTerminal: true, ErrTerminal: true, Size: func() (int, int, bool) { return 12, 8, true },
	})
	sink := &LineSink{Out: screen.Out(), Live: screen}
	a, b := sink.Prefixed("a | "), sink.Prefixed("b | ")
	for n, step := range []struct {
		do   func()
		want string
	}{
		{func() { _, _ = a.Write([]byte("\r1%")) }, "a | 1%\n"},
		{func() { _, _ = a.Write([]byte("\r2% and so on")) }, "a | 2% and…\n"},
		{func() { _, _ = b.Write([]byte("line\n")) }, "b | line\na | 2% and…\n"},
		{func() { _, _ = b.Write([]byte("\r1/9")) }, "b | line\na | 2% and…\nb | 1/9\n"},
		{func() { _, _ = a.Write([]byte("\r\x1b[32m3%\x1b[0m")) }, "b | line\na | 3%\nb | 1/9\n"},
		{func() { sink.Note(screen.Err(), "note") }, "b | line\nnote\na | 3%\nb | 1/9\n"},
		{func() { _, _ = a.Write([]byte("\n")) }, "b | line\nnote\na | 3%\nb | 1/9\n"},
		{func() { _, _ = a.Write([]byte("load")) }, "b | line\nnote\na | 3%\nb | 1/9\na | load\n"},
		{func() { _, _ = a.Write([]byte("\rother\nload")) }, "b | line\nnote\na | 3%\na | other\nb | 1/9\na | load\n"},
		{func() { _, _ = a.Write([]byte("ed\n")) }, "b | line\nnote\na | 3%\na | other\na | loaded\nb | 1/9\n"},
		{func() { _ = b.Close() }, "b | line\nnote\na | 3%\na | other\na | loaded\nb | 1/9\n"},
	} {
		step.do()
		if diff := cmp.Diff(step.want, term.All()); diff != "" {
			t.Errorf("step %d (-want +got)\n%s", n+1, diff)
		}
	}
}

func TestStampsArePartOfThePrefix(t *testing.T) {
	t.Parallel()
	stamp := logtime.Stamp(time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC))
	var out bytes.Buffer
	w := (&LineSink{Out: &out, Stamped: true, Match: regexp.MustCompile("^[3t]")}).Prefixed("a | ")
	for _, text := range []string{stamp + "two\n" + stamp[:5], stamp[5:] + "1%\r2%\r", "3%\r", "\n" + stamp + "one\n"} {
		_, _ = w.Write([]byte(text))
	}
	if diff := cmp.Diff("a | "+stamp+"two\na | "+stamp+"3%\n", out.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
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
