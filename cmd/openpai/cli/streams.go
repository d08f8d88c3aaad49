// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/terminal"
	"github.com/openpai/terraform-provider-openpai/planner/view"
	"golang.org/x/term"
)

// Streams holds the input and outputs of a command, and the properties of the terminal.
type Streams struct {
	in       io.Reader
	out, err io.Writer
	// interactive is true if input is a terminal, so that prompts are possible.
	interactive bool
	// asking is the output for prompts: standard output if it is a terminal, else
	// standard error.
	asking io.Writer
	// color is true if out may be colored; errColor is the same for err.
	color, errColor bool
	// screen draws the live view below the lines of out and err.
	screen *terminal.Screen
	// width is the terminal width in columns. It is 0 for a file or a pipe, whose
	// lines are not wrapped. errWidth is the width of the terminal for err.
	width, errWidth int
	// version is the version of the program; saved plans depend on it.
	version string
	// json is the --json output, or nil.
	json *jsonOutput
}

// SystemStreams returns the streams of the process. NO_COLOR (https://no-color.org) and
// TERM=dumb disable color.
func SystemStreams() *Streams {
	plain := os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb"
	screen := systemScreen()
	s := &Streams{
		in: os.Stdin, out: screen.Out(), err: screen.Err(), screen: screen,
		asking:      screen.Out(),
		interactive: isTerminal(os.Stdin),
		color:       isTerminal(os.Stdout) && !plain,
		errColor:    isTerminal(os.Stderr) && !plain,
	}
	if !isTerminal(os.Stdout) {
		s.asking = screen.Err()
	}
	s.width, s.errWidth = widthOf(os.Stdout), widthOf(os.Stderr)
	return s
}

func widthOf(f *os.File) int {
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
		return w
	}
	return 0
}

// systemScreen does not draw a live view on a dumb terminal.
func systemScreen() *terminal.Screen {
	o := terminal.Outputs{Out: os.Stdout, Err: os.Stderr, OutTerminal: isTerminal(os.Stdout), ErrTerminal: isTerminal(os.Stderr)}
	if os.Getenv("TERM") == "dumb" {
		return terminal.New(o)
	}
	switch {
	case o.ErrTerminal:
		o.Size = terminal.SizeOf(os.Stderr)
	case o.OutTerminal:
		o.Size = terminal.SizeOf(os.Stdout)
	}
	return terminal.New(o)
}

// NewStreams returns streams without prompts, color or line wrapping. They are for a
// program that runs commands in its own process.
func NewStreams(in io.Reader, out, err io.Writer) *Streams {
	return &Streams{in: in, out: out, err: err, asking: err, screen: terminal.New(terminal.Outputs{Out: out, Err: err})}
}

// aside reserves standard output for the jobs: all messages go to standard error.
// Prompts also go to standard error, unless only standard output is a terminal.
func (s *Streams) aside() *Streams {
	aside := *s
	aside.out, aside.color, aside.width = s.err, s.errColor, s.errWidth
	if s.errWidth > 0 || s.width == 0 {
		aside.asking = s.err
	}
	return &aside
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// writeFile prints untrusted content. On a terminal, it escapes control characters.
func (s *Streams) writeFile(content []byte) error {
	if s.width > 0 {
		content = []byte(output.Escape(strings.ReplaceAll(string(content), "\r\n", "\n")))
	}
	_, err := s.out.Write(content)
	return err
}

// warn prints a warning without a source position.
func (s *Streams) warn(text string) {
	if s.json != nil {
		s.json.report(view.Diagnostic{Severity: view.SeverityWarning, Summary: text})
		return
	}
	fmt.Fprintf(s.err, "Warning: %s\n", text)
}

// planText returns options for the text of a plan.
func (s *Streams) planText(detail bool, path string) view.TextOptions {
	return view.TextOptions{Phrase: phrase.Of, Color: s.color, Width: s.width, Detail: detail, Path: path}
}
