package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// Screen is the only writer of a terminal. Its methods may be called
// concurrently.
type Screen struct {
	outputs Outputs

	mu    sync.Mutex
	bars  []bar
	lines []Line
	part  int // of the height that the lines may take
	drawn int // rows of the view on the terminal, above the cursor
	open  bool
}

// Outputs are the two outputs of a program.
type Outputs struct {
	Out, Err io.Writer
	// OutTerminal and ErrTerminal report which of them is the terminal.
	OutTerminal, ErrTerminal bool
	// Size returns the columns and rows of the terminal; ok is false while
	// nothing may be redrawn on it. Nil is a terminal that only scrolls.
	Size func() (columns, rows int, ok bool)
}

// bar is a line of the output that is written over, such as a progress bar.
type bar struct {
	key  any
	text string
}

// Line is one line of the live view.
type Line struct {
	// Text may hold color sequences. The rest of a line that is too wide is not
	// shown.
	Text string
	// Weight decides which lines are shown when there are too many.
	Weight int
}

// Control sequences of ECMA-48, and the mode in which a terminal wraps lines
// (DECAWM).
const (
	eraseRest  = "\x1b[K"
	eraseBelow = "\x1b[J"
	wrapOff    = "\x1b[?7l"
	wrapOn     = "\x1b[?7h"
)

// New returns the screen of two outputs.
func New(o Outputs) *Screen { return &Screen{outputs: o, part: 1} }

// Live reports whether the lines of [Screen.Show] are drawn.
func (s *Screen) Live() bool { return s.outputs.Size != nil && s.outputs.ErrTerminal }

// Out returns the writer to standard output.
func (s *Screen) Out() io.Writer {
	return &scrolling{screen: s, to: s.outputs.Out, terminal: s.outputs.OutTerminal}
}

// Err returns the writer to standard error.
func (s *Screen) Err() io.Writer {
	return &scrolling{screen: s, to: s.outputs.Err, terminal: s.outputs.ErrTerminal}
}

// Show replaces the lines of the live view. They take at most the height of the
// terminal divided by part; no lines remove the view. It does nothing where
// standard error is not a terminal.
func (s *Screen) Show(lines []Line, part int) {
	if !s.Live() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines, s.part = lines, max(part, 1)
	s.draw()
}

// Overwrite replaces what is shown of a line of standard output that is written
// over; an empty text removes it. It does nothing where standard output is not a
// terminal.
func (s *Screen) Overwrite(key any, text string) {
	if s.outputs.Size == nil || !s.outputs.OutTerminal {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := slices.IndexFunc(s.bars, func(b bar) bool { return b.key == key })
	switch {
	case n < 0 && text == "":
		return
	case n < 0:
		s.bars = append(s.bars, bar{key, text})
	case text == "":
		s.bars = slices.Delete(s.bars, n, n+1)
	default:
		s.bars[n].text = text
	}
	s.draw()
}

// Resume draws the view below what others have written to the terminal, as a
// shell does while the program is suspended. It does nothing without a terminal.
func (s *Screen) Resume() {
	if s.outputs.Size == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawn = 0
	s.draw()
}

// draw replaces the view on the terminal.
func (s *Screen) draw() {
	if s.open {
		return // until the line above it ends
	}
	rows := s.rows()
	if rows == nil && s.drawn == 0 {
		return
	}
	var b strings.Builder
	b.WriteString(s.home() + wrapOff)
	for _, row := range rows {
		b.WriteString(row + eraseRest + "\n")
	}
	b.WriteString(eraseBelow + wrapOn)
	s.drawn = len(rows)
	_, _ = io.WriteString(s.to(), b.String())
}

// erase takes the view from the terminal.
func (s *Screen) erase() {
	if _, _, ok := s.outputs.Size(); !ok {
		s.drawn = 0 // others write to the terminal now
	}
	if s.drawn > 0 {
		_, _ = io.WriteString(s.to(), s.home()+eraseBelow)
		s.drawn = 0
	}
}

// home moves the cursor to the first row of the view.
func (s *Screen) home() string {
	if s.drawn == 0 {
		return "\r"
	}
	return fmt.Sprintf("\r\x1b[%dA", s.drawn)
}

// to is the output that the view is drawn on.
func (s *Screen) to() io.Writer {
	if s.outputs.ErrTerminal {
		return s.outputs.Err
	}
	return s.outputs.Out
}

// scrolling is an output whose lines scroll above the view.
type scrolling struct {
	screen   *Screen
	to       io.Writer
	terminal bool
}

// Write implements io.Writer.
func (w *scrolling) Write(p []byte) (int, error) {
	s := w.screen
	if !w.terminal || s.outputs.Size == nil {
		return w.to.Write(p)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	n, err := w.to.Write(p)
	if n > 0 {
		s.open = p[n-1] != '\n'
	}
	s.draw()
	return n, err
}
