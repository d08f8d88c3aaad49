// SPDX-License-Identifier: MPL-2.0

package output

import (
	"slices"
	"unicode/utf8"
)

// gap separates columns.
const gap = "  "

// minStage is the minimum width of a shortened stage.
const minStage = 20

// Fit shortens the stages in a table of jobs and returns the table. Each row is then
// shorter than width, unless the other cells are too long. A width of 0 means no limit.
func Fit(rows [][]string, width int) [][]string {
	stage := slices.Index(rows[0], headStage)
	if stage < 0 || width <= 0 {
		return rows
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(Clean(row[i])))
		}
	}
	excess := 1 - len(gap) - width
	for _, w := range widths {
		excess += w + len(gap)
	}
	if excess > 0 {
		for _, row := range rows {
			row[stage] = shorten(Clean(row[stage]), max(widths[stage]-excess, minStage))
		}
	}
	return rows
}
