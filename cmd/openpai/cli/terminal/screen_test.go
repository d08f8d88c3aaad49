// SPDX-License-Identifier: MPL-2.0

package terminal

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/terminal/terminaltest"
)

// both returns a screen with stdout and stderr on the same terminal.
func both(t *terminaltest.Terminal) *Screen {
	return New(Outputs{Out: t, Err: t, OutTerminal: true, ErrTerminal: true, Size: func() (int, int, bool) {
		columns, rows := t.Size()
		return columns, rows, true
	}})
}

func numbered(n int) []Line {
	var all []Line
	for i := range n {
		all = append(all, Line{Text: fmt.Sprintf("task %d", i+1)})
	}
	return all
}

func TestTheViewStaysBelowWhatScrolls(t *testing.T) {
	t.Parallel()
	term := terminaltest.New(20, 6)
	s := both(term)
	s.Show([]Line{{Text: "worker scheduling"}, {Text: "server fetching"}}, 1)
	for i := range 10 {
		fmt.Fprintf(s.Out(), "line %d\n", i)
	}
	fmt.Fprintln(s.Err(), "a note")
	s.Show([]Line{{Text: "server fetching"}}, 1)
	if diff := cmp.Diff("line 8\nline 9\na note\nserver fetching\n", term.String()); diff != "" {
		t.Errorf("screen (-want +got)\n%s", diff)
	}
	s.Show(nil, 1)
	if diff := cmp.Diff("line 0\nline 1\nline 2\nline 3\nline 4\nline 5\nline 6\nline 7\nline 8\nline 9\na note\n", term.All()); diff != "" {
		t.Errorf("everything (-want +got)\n%s", diff)
	}
}

func TestTheViewFitsTheTerminal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		columns, rows, part int
		lines               []Line
		want                string
	}{
		"wide lines are cut":                 {12, 10, 1, []Line{{Text: "0123456789abcdef"}}, "0123456789…\n"},
		"wide characters occupy two columns": {12, 10, 1, []Line{{Text: "漢字漢字漢字漢字"}}, "漢字漢字漢…\n"},
		"colors take none":                   {12, 10, 1, []Line{{Text: "\x1b[31m0123456789a\x1b[0m"}}, "0123456789a\n"},
		"200 lines on 24 rows":               {80, 24, 1, numbered(200), strings.Join(texts(numbered(20)), "\n") + "\nand 180 more\n"},
		"half of the rows":                   {80, 8, 2, numbered(9), "task 1\ntask 2\ntask 3\nand 6 more\n"},
		"heavy lines first, in their order":  {80, 6, 1, []Line{{"a", 0}, {"b", 2}, {"c", 0}, {"d", 1}}, "b\nd\nand 2 more\n"},
		"no room":                            {80, 3, 1, numbered(2), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			term := terminaltest.New(c.columns, c.rows)
			both(term).Show(c.lines, c.part)
			if diff := cmp.Diff(c.want, term.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func texts(lines []Line) []string {
	var all []string
	for _, l := range lines {
		all = append(all, l.Text)
	}
	return all
}

func TestBarsAreAboveTheView(t *testing.T) {
	t.Parallel()
	term := terminaltest.New(20, 8)
	s := both(term)
	s.Show([]Line{{Text: "worker commands"}}, 1)
	s.Overwrite("a", "a | 10%")
	s.Overwrite("b", "b | 1%")
	s.Overwrite("a", "a | 20%")
	fmt.Fprintln(s.Out(), "line")
	if diff := cmp.Diff("line\na | 20%\nb | 1%\nworker commands\n", term.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	s.Overwrite("a", "")
	s.Overwrite("b", "")
	s.Show(nil, 1)
	if diff := cmp.Diff("line\n", term.All()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestALineThatIsNotEndedIsNotTorn(t *testing.T) {
	t.Parallel()
	term := terminaltest.New(20, 8)
	s := both(term)
	s.Show([]Line{{Text: "worker commands"}}, 1)
	fmt.Fprint(s.Out(), "first half, ")
	s.Show([]Line{{Text: "worker ending"}}, 1)
	fmt.Fprint(s.Out(), "second\n")
	if diff := cmp.Diff("first half, second\nworker ending\n", term.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestAResizedTerminalLosesNoLine resizes the terminal between two draws. No output
// line may be erased.
func TestAResizedTerminalLosesNoLine(t *testing.T) {
	t.Parallel()
	term := terminaltest.New(40, 10)
	s := both(term)
	fmt.Fprintln(s.Out(), "line")
	s.Show([]Line{{Text: "worker[0] fetching mnist.zip 34 %"}}, 1)
	term.Resize(20, 10)
	s.Show([]Line{{Text: "worker[0] fetching mnist.zip 35 %"}}, 1)
	if diff := cmp.Diff("line\nworker[0] fetching…\n", term.String()); diff != "" {
		t.Errorf("narrower (-want +got)\n%s", diff)
	}
	term.Resize(120, 10)
	s.Show([]Line{{Text: "worker[0] fetching mnist.zip 36 %"}}, 1)
	if diff := cmp.Diff("line\nworker[0] fetching mnist.zip 36 %\n", term.String()); diff != "" {
		t.Errorf("wider (-want +got)\n%s", diff)
	}
}

func TestAFileGetsWhatWasWritten(t *testing.T) {
	t.Parallel()
	var out, err bytes.Buffer
	s := New(Outputs{Out: &out, Err: &err})
	s.Show(numbered(3), 1)
	s.Overwrite("a", "a | 10%")
	fmt.Fprintln(s.Out(), "line")
	fmt.Fprintln(s.Err(), "note")
	if out.String() != "line\n" || err.String() != "note\n" {
		t.Errorf("out %q, err %q", out.String(), err.String())
	}
}

// TestOneOutputIsAFile checks that a file receives only lines, while the view or
// the progress bar appears only on the terminal.
func TestOneOutputIsAFile(t *testing.T) {
	t.Parallel()
	size := func() (int, int, bool) { return 20, 8, true }
	var file bytes.Buffer
	term := terminaltest.New(20, 8)
	s := New(Outputs{Out: &file, Err: term, ErrTerminal: true, Size: size})
	s.Show(numbered(1), 1)
	s.Overwrite("a", "a | 10%")
	fmt.Fprintln(s.Out(), "line")
	if file.String() != "line\n" || term.String() != "task 1\n" {
		t.Errorf("file %q, terminal %q", file.String(), term.String())
	}
	file.Reset()
	term = terminaltest.New(20, 8)
	s = New(Outputs{Out: term, Err: &file, OutTerminal: true, Size: size})
	s.Show(numbered(1), 1)
	s.Overwrite("a", "a | 10%")
	fmt.Fprintln(s.Err(), "note")
	if file.String() != "note\n" || term.String() != "a | 10%\n" {
		t.Errorf("file %q, terminal %q", file.String(), term.String())
	}
}

func TestInTheBackgroundNothingIsRedrawn(t *testing.T) {
	t.Parallel()
	term := terminaltest.New(20, 8)
	foreground := true
	s := New(Outputs{Out: term, Err: term, OutTerminal: true, ErrTerminal: true, Size: func() (int, int, bool) { return 20, 8, foreground }})
	s.Show(numbered(1), 1)
	foreground = false
	fmt.Fprint(term, "$ ls\nfile\n")
	s.Show(numbered(2), 1)
	foreground = true
	s.Show(numbered(1), 1)
	fmt.Fprint(term, "$ fg\n")
	s.Resume()
	if diff := cmp.Diff("task 1\n$ ls\nfile\ntask 1\n$ fg\ntask 1\n", term.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestResumeWritesNothingToPipes checks that Resume writes nothing if the outputs are
// pipes. For example, the timeout command sends SIGCONT, which causes a call to
// Resume.
func TestResumeWritesNothingToPipes(t *testing.T) {
	t.Parallel()
	var out, err bytes.Buffer
	s := New(Outputs{Out: &out, Err: &err})
	s.Show(numbered(1), 1)
	s.Resume()
	if out.Len()+err.Len() > 0 {
		t.Errorf("out %q, err %q", out.String(), err.String())
	}
}
