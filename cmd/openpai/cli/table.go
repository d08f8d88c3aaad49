package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/openpai/terraform-provider-openpai/internal/printable"
)

// maxCell bounds a cell that others follow: it widens every row.
const maxCell = 200

// writeTable writes rows in columns, two blanks apart.
func writeTable(out io.Writer, rows [][]string) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i := range row {
			row[i] = clean(row[i])
			if i < len(row)-1 {
				row[i] = shorten(row[i])
			}
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush()
}

// shorten leaves out the end of a cell that is too long.
func shorten(cell string) string {
	const cut = "..."
	if utf8.RuneCountInString(cell) <= maxCell {
		return cell
	}
	return string([]rune(cell)[:maxCell-len(cut)]) + cut
}

// clean puts text that others have written on one line, and escapes what could
// act on a terminal.
func clean(s string) string { return escaped(strings.Join(strings.Fields(s), " ")) }

// escaped is text as a terminal may show it. Line breaks and tabs stay.
func escaped(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = printable.Escape(line)
	}
	return strings.Join(lines, "\n")
}

// writeFile prints a file that others have written: byte for byte, unless a
// terminal would act on it.
func (s *Streams) writeFile(content []byte) error {
	if s.width > 0 {
		content = []byte(escaped(strings.ReplaceAll(string(content), "\r\n", "\n")))
	}
	_, err := s.out.Write(content)
	return err
}
