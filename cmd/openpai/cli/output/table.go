// SPDX-License-Identifier: MPL-2.0

package output

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/internal/printable"
)

// maxCell is the maximum width of a cell. The last cell of a row has no maximum
// width: it does not widen other rows.
const maxCell = 200

// Table prints rows in columns, separated by two spaces.
func Table(out io.Writer, rows [][]string) {
	buffered := bufio.NewWriter(out) // a tabwriter writes each cell separately
	w := tabwriter.NewWriter(buffered, 0, 0, len(gap), ' ', 0)
	for _, row := range rows {
		for i := range row {
			row[i] = Clean(row[i])
			if i < len(row)-1 {
				row[i] = shorten(row[i], maxCell)
			}
		}
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush()
	_ = buffered.Flush()
}

// shorten truncates a cell to the limit.
func shorten(cell string, limit int) string {
	const cut = "..."
	if utf8.RuneCountInString(cell) <= limit {
		return cell
	}
	return string([]rune(cell)[:limit-len(cut)]) + cut
}

// Clean puts untrusted text on one line and escapes terminal control sequences.
func Clean(s string) string { return Escape(strings.Join(strings.Fields(s), " ")) }

// Escape replaces terminal control characters with visible escapes. It keeps line
// breaks and tabs.
func Escape(s string) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = printable.Escape(line)
	}
	return strings.Join(lines, "\n")
}

// JSON writes a value as indented JSON with a final newline.
func JSON(w io.Writer, v any) error {
	text, err := plainjson.MarshalIndent(v)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}
