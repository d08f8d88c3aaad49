// SPDX-License-Identifier: MPL-2.0

package terminal

import (
	"cmp"
	"fmt"
	"os"
	"slices"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"
)

const (
	// scrolled is the number of rows reserved for scrolling lines and the cursor.
	scrolled = 3
	// maxBars is the maximum number of lines from Overwrite in the view.
	maxBars = 8
)

// rows cuts the view to the size of the terminal. It returns nil while other
// programs write to the terminal.
func (s *Screen) rows() []string {
	columns, height, ok := s.outputs.Size()
	if !ok {
		s.drawn = 0 // other programs write to the terminal now
		return nil
	}
	room := height - scrolled
	var rows []string
	for _, b := range s.bars[:max(min(len(s.bars), maxBars, room), 0)] {
		rows = append(rows, Cut(b.text, columns))
	}
	for _, text := range fit(s.lines, min(room-len(rows), height/s.part)) {
		rows = append(rows, Cut(text, columns))
	}
	return rows
}

// fit returns at most room rows. If there are more lines, it keeps the lines
// with the largest weight, in the original order. The last row then shows the
// number of omitted lines.
func fit(lines []Line, room int) []string {
	if room <= 0 || len(lines) == 0 {
		return nil
	}
	shown := make([]int, len(lines))
	for i := range lines {
		shown[i] = i
	}
	if len(lines) > room {
		slices.SortStableFunc(shown, func(a, b int) int { return cmp.Compare(lines[b].Weight, lines[a].Weight) })
		shown = shown[:room-1]
		slices.Sort(shown)
	}
	texts := make([]string, 0, room)
	for _, i := range shown {
		texts = append(texts, lines[i].Text)
	}
	if hidden := len(lines) - len(shown); hidden > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", hidden))
	}
	return texts
}

// Cut shortens a text to less than the width of the terminal. It leaves the last
// column empty, because some terminals wrap there.
func Cut(text string, columns int) string { return ansi.Truncate(text, max(columns-1, 1), "…") }

// Width returns the number of columns that text occupies, ignoring color
// sequences.
func Width(text string) int { return ansi.StringWidth(text) }

// Default size of a terminal that does not report its size.
const (
	defaultColumns = 80
	defaultRows    = 24
)

// SizeOf returns the function [Outputs.Size] for a terminal. The function returns
// false as ok while the process is in the background.
func SizeOf(f *os.File) func() (columns, rows int, ok bool) {
	return func() (int, int, bool) {
		columns, rows, err := term.GetSize(int(f.Fd()))
		if err != nil || !ownsTerminal(f) {
			return 0, 0, false
		}
		if columns <= 0 || rows <= 0 {
			columns, rows = defaultColumns, defaultRows
		}
		return columns, rows, true
	}
}
