// SPDX-License-Identifier: MPL-2.0

package terminaltest

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
)

// Terminal emulates a screen and its scrollback. It does not rewrap lines when its
// size changes.
type Terminal struct {
	mu            sync.Mutex
	columns, rows int
	lines         []string // all written lines
	top           int      // first line on the screen
	y, x          int      // cursor: index of its line in lines, and its column, from 0
	noWrap        bool
	rest          []byte // an incomplete sequence
	sequences     []string
}

// New returns an empty terminal.
func New(columns, rows int) *Terminal {
	return &Terminal{columns: columns, rows: rows, lines: []string{""}}
}

// Resize changes the size of the terminal.
func (t *Terminal) Resize(columns, rows int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.columns, t.rows = columns, rows
	t.top = max(t.top, len(t.lines)-t.rows)
}

// Size returns the columns and rows of the terminal.
func (t *Terminal) Size() (columns, rows int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.columns, t.rows
}

// String returns the lines without trailing spaces, and without empty lines at the
// end.
func (t *Terminal) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return text(t.lines[t.top:])
}

// All returns the lines on the screen and in the scrollback.
func (t *Terminal) All() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return text(t.lines)
}

// Sequences returns the distinct control sequences that the program wrote.
func (t *Terminal) Sequences() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.sequences)
}

func text(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.TrimRight(l, " ") + "\n")
	}
	trimmed := strings.TrimRight(b.String(), "\n")
	if trimmed == "" {
		return ""
	}
	return trimmed + "\n"
}

// Write implements io.Writer.
func (t *Terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rest = append(t.rest, p...)
	for len(t.rest) > 0 {
		if incomplete(t.rest) {
			return len(p), nil
		}
		seq, width, n, _ := ansi.DecodeSequence(t.rest, ansi.NormalState, nil)
		part := string(seq)
		t.rest = t.rest[n:]
		if width > 0 {
			t.put(part, width)
		} else {
			t.control(part)
		}
	}
	return len(p), nil
}

// incomplete reports whether p begins with an incomplete character or control
// sequence.
func incomplete(p []byte) bool {
	if p[0] == 0x1b {
		return len(p) == 1 || p[1] == '[' && !slices.ContainsFunc(p[2:], func(c byte) bool { return c >= '@' && c <= '~' })
	}
	return p[0] >= 0xc0 && len(p) < 4 && !slices.ContainsFunc(p[1:], func(c byte) bool { return c < 0x80 || c >= 0xc0 }) && len(p) < runeLen(p[0])
}

func runeLen(first byte) int {
	switch {
	case first >= 0xf0:
		return 4
	case first >= 0xe0:
		return 3
	}
	return 2
}

func (t *Terminal) put(char string, width int) {
	if t.x+width > t.columns {
		if t.noWrap {
			t.x = t.columns - width
		} else {
			t.lineFeed()
			t.x = 0
		}
	}
	line := t.lines[t.y]
	before := ansi.Truncate(line, t.x, "")
	before += strings.Repeat(" ", t.x-ansi.StringWidth(before))
	t.lines[t.y] = before + char + ansi.TruncateLeft(line, t.x+width, "")
	t.x += width
}

func (t *Terminal) lineFeed() {
	if t.y++; t.y == len(t.lines) {
		t.lines = append(t.lines, "")
	}
	t.top = max(t.top, len(t.lines)-t.rows)
}

func (t *Terminal) control(seq string) {
	if strings.HasPrefix(seq, "\x1b") && !slices.Contains(t.sequences, seq) {
		t.sequences = append(t.sequences, seq)
	}
	switch {
	case seq == "\n": // the line discipline adds a carriage return
		t.lineFeed()
		t.x = 0
	case seq == "\r":
		t.x = 0
	case seq == "\x1b[?7l", seq == "\x1b[?7h":
		t.noWrap = seq == "\x1b[?7l"
	case seq == "\x1b[K":
		t.lines[t.y] = ansi.Truncate(t.lines[t.y], t.x, "")
	case seq == "\x1b[J":
		t.lines[t.y] = ansi.Truncate(t.lines[t.y], t.x, "")
		t.lines = t.lines[:t.y+1]
	case strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "A"):
		n, _ := strconv.Atoi(seq[2 : len(seq)-1])
		t.y = max(t.y-max(n, 1), t.top)
	}
}
