package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/terminal"
	"github.com/openpai/terraform-provider-openpai/planner/view"
	"golang.org/x/term"
)

// Streams is where a command reads and writes, and what the other side is.
type Streams struct {
	in       io.Reader
	out, err io.Writer
	// interactive says that a person can be asked: input is a terminal.
	interactive bool
	// asking is where questions go: output, or errors where output is a file.
	asking io.Writer
	// color says that output may be colored, errColor the same of errors.
	color, errColor bool
	// screen is what out and err write to, with the live view below their lines.
	screen *terminal.Screen
	// width is that of the terminal in columns; 0 when there is none, so that
	// nothing is broken in files and pipes. errWidth is the same of errors.
	width, errWidth int
	// version is that of the program, which saved plans are bound to.
	version string
	// json is what is printed with --json; nil without.
	json *jsonOutput
}

// SystemStreams are those of the process. NO_COLOR (https://no-color.org) and
// TERM=dumb switch color off.
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

// systemScreen is the screen of the process. A dumb terminal only scrolls.
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

// NewStreams are those of a program that runs commands within itself: nobody
// can be asked, and nothing is colored or broken.
func NewStreams(in io.Reader, out, err io.Writer) *Streams {
	return &Streams{in: in, out: out, err: err, asking: err, screen: terminal.New(terminal.Outputs{Out: out, Err: err})}
}

// aside returns the streams for what a command reports of its own work, where
// its output is that of the jobs: all of it goes to errors. Questions go there
// too, unless only output is a terminal.
func (s *Streams) aside() *Streams {
	aside := *s
	aside.out, aside.color, aside.width = s.err, s.errColor, s.errWidth
	if s.errWidth > 0 || s.width == 0 {
		aside.asking = s.err
	}
	return &aside
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// writeFile prints a file that others have written: byte for byte, unless a
// terminal would act on it.
func (s *Streams) writeFile(content []byte) error {
	if s.width > 0 {
		content = []byte(output.Escape(strings.ReplaceAll(string(content), "\r\n", "\n")))
	}
	_, err := s.out.Write(content)
	return err
}

// warn prints a warning that is not about a place in the files.
func (s *Streams) warn(text string) {
	if s.json != nil {
		s.json.report(view.Diagnostic{Severity: view.SeverityWarning, Summary: text})
		return
	}
	fmt.Fprintf(s.err, "Warning: %s\n", text)
}

// planText are the options of a plan as text.
func (s *Streams) planText(detail bool) view.TextOptions {
	return view.TextOptions{Color: s.color, Width: s.width, Detail: detail}
}
