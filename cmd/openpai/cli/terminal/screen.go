// SPDX-License-Identifier: MPL-2.0

package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
)

// Screen is the only writer to a terminal. Its methods are safe for concurrent use.
type Screen struct {
	outputs Outputs

	mu    sync.Mutex
	bars  []bar
	lines []Line
	part  int // the lines fill at most height/part rows
	drawn int // number of rows of the view above the cursor
	open  bool
}

// Outputs are the standard output and standard error of a program.
type Outputs struct {
	Out, Err io.Writer
	// OutTerminal and ErrTerminal report whether Out and Err are the terminal.
	OutTerminal, ErrTerminal bool
	// Size returns the columns and rows of the terminal. ok is false while drawing is
	// not allowed. Size is nil for a terminal that only scrolls.
	Size func() (columns, rows int, ok bool)
}

// bar is a line that is overwritten in place, such as a progress bar.
type bar struct {
	key  any
	text string
}

// Line is one line of the live view.
type Line struct {
	// Text may contain color sequences. A line that is too wide is cut.
	Text string
	// Weight is the priority of the line. If not all lines fit, the view omits the
	// lines with the lowest weights.
	Weight int
}

// Terminal control sequences: two erase sequences from ECMA-48, and the line
// wrap mode (DECAWM).
const (
	eraseRest  = "\x1b[K"
	eraseBelow = "\x1b[J"
	wrapOff    = "\x1b[?7l"
	wrapOn     = "\x1b[?7h"
)

// New returns a screen that writes to the given outputs.
func New(o Outputs) *Screen { return &Screen{outputs: o, part: 1} }

// Live reports whether [Screen.Show] draws lines.
func (s *Screen) Live() bool { return s.outputs.Size != nil && s.outputs.ErrTerminal }

// Out returns the writer to standard output.
func (s *Screen) Out() io.Writer {
	return &scrolling{screen: s, to: s.outputs.Out, terminal: s.outputs.OutTerminal}
}

// Err returns the writer to standard error.
func (s *Screen) Err() io.Writer {
	return &scrolling{screen: s, to: s.outputs.Err, terminal: s.outputs.ErrTerminal}
}

// Show replaces the lines of the live view. The view occupies at most 1/part of the
// terminal's height. Without lines, Show removes the view. Show does nothing if
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

// Overwrite sets the text of the line with the given key. If there is no such line,
// Overwrite adds the line. Later calls overwrite the line in place. An empty text
// removes the line. Overwrite does nothing if standard output is not a terminal.
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

// Resume draws the view again below the output of other programs, such as a shell
// that writes while the process is suspended. Resume does nothing without a terminal.
func (s *Screen) Resume() {
	if s.outputs.Size == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawn = 0
	s.draw()
}

func (s *Screen) draw() {
	if s.open {
		return // an output line above is not complete yet
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

func (s *Screen) erase() {
	if _, _, ok := s.outputs.Size(); !ok {
		s.drawn = 0 // other programs write to the terminal now
	}
	if s.drawn > 0 {
		_, _ = io.WriteString(s.to(), s.home()+eraseBelow)
		s.drawn = 0
	}
}

// home returns the sequence that moves the cursor to the first row of the view.
func (s *Screen) home() string {
	if s.drawn == 0 {
		return "\r"
	}
	return fmt.Sprintf("\r\x1b[%dA", s.drawn)
}

// to returns standard error if it is a terminal, else standard output.
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
