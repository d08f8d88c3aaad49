// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Suggest returns the sentence ` Did you mean "x"?` with a leading space if a
// known name is close to the input, otherwise "". Close means that at most a
// third of the letters differ, and at most eight; case and separators do not
// count, so memoryMB and memory_mb are equal.
func Suggest(input string, known []string) string {
	if best := Nearest(input, known); best != "" {
		return ` Did you mean "` + best + `"?`
	}
	return ""
}

// Closest returns at most n known names that are close to the input, the closest
// first. Close means the same as for [Suggest].
func Closest(input string, known []string, n int) []string {
	if input == "" || len(input) > maxName {
		return nil
	}
	type candidate struct {
		name     string
		distance int
	}
	var near []candidate
	enough := min(len(input)/3, maxEdits) + 1
	for _, k := range known[:min(len(known), maxCandidates)] {
		if len(k) > maxName {
			continue
		}
		if d := distance(plain(input), plain(k), enough); d < enough {
			near = append(near, candidate{k, d})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var names []string
	for _, c := range near[:min(len(near), n)] {
		names = append(names, c.name)
	}
	return names
}

// maxCandidates is the maximum number of names that are compared. With more
// names a guess is not useful, and a file with many mistakes would take too
// long.
const maxCandidates = 300

// maxEdits is the maximum number of letters that differ. It keeps the search
// fast for long names.
const maxEdits = 8

// Nearest returns the known name that [Suggest] suggests, or "".
func Nearest(input string, known []string) string {
	if input == "" || len(input) > maxName || len(known) > maxCandidates {
		return ""
	}
	best, bestDistance := "", min(len(input)/3, maxEdits)+1
	bare := plain(input)
	for _, k := range known {
		if len(k) > maxName {
			continue
		}
		if bare == plain(k) {
			best = k
			break
		}
		if d := distance(input, k, bestDistance); d < bestDistance || (len(k) > 3 && best == "" && prefixed(input, k)) {
			best, bestDistance = k, min(d, bestDistance)
		}
	}
	return best
}

// distance returns the number of edits between two names; a swap of two
// adjacent letters counts as one edit. It returns enough if there are at least
// that many.
func distance(a, b string, enough int) int {
	if len(a) == len(b) {
		for i := 0; i+1 < len(a); i++ {
			if a[i] != b[i] {
				if a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:] {
					return 1
				}
				break
			}
		}
	}
	return edits([]rune(a), []rune(b), enough)
}

// edits returns the Levenshtein distance, or enough if the distance is not
// smaller. It computes only the cells of the table that are close enough to the
// diagonal, row by row.
func edits(a, b []rune, enough int) int {
	if max(len(a)-len(b), len(b)-len(a)) >= enough {
		return enough
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, letter := range a {
		first, last := max(i+1-enough, 0)+1, min(i+1+enough, len(b))
		diagonal := row[first-1]
		row[first-1] = i + 1 // a lower bound at the edge of the band or of the table
		for j := first; j <= last; j++ {
			replaced := diagonal
			if letter != b[j-1] {
				replaced++
			}
			diagonal = row[j]
			row[j] = min(replaced, row[j]+1, row[j-1]+1)
		}
	}
	return min(row[len(b)], enough)
}

var withoutSeparators = strings.NewReplacer("_", "", "-", "")

// plain returns a name without case and separators.
func plain(name string) string {
	return withoutSeparators.Replace(strings.ToLower(name))
}

// prefixed reports whether one name is a prefix of the other, such as justecho
// and justecho_wrong.
func prefixed(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	return a[:len(b)] == b
}

// maxListed is the maximum number of names in a message.
const maxListed = 30

// QuoteList formats names for a sentence; it lists only the first of many
// names. It returns none for an empty list.
func QuoteList(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	if more := len(names) - maxListed; more > 0 {
		return fmt.Sprintf(`"%s" and %d more`, strings.Join(names[:maxListed], `", "`), more)
	}
	return `"` + strings.Join(names, `", "`) + `"`
}
