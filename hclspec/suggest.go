// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxSuggested is the maximum number of suggested names.
const maxSuggested = 3

// Suggest returns ` Did you mean "x"?` with a leading space if a known name
// is close to the input, otherwise "". It suggests up to three names that are
// equally close; see [near].
func Suggest(input string, known []string) string { return didYouMean(near(input, known)) }

// SuggestAddress is like [Suggest] for an address. If a known address has the
// kind of the input, SuggestAddress compares only names of that kind, without
// the prefix. It therefore does not suggest job.a for job.b. Otherwise it
// compares whole addresses. For an address without an instance key, it
// suggests the declaration, not the instances.
func SuggestAddress(input Address, known []string) string {
	kind, name := input.splitName()
	var names []string
	for _, k := range known {
		if other, name := Address(k).Like(input).splitName(); other == kind {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return Suggest(string(input), known)
	}
	found := near(name, names)
	for i := range found {
		found[i].name = kind + found[i].name
	}
	return didYouMean(found)
}

// didYouMean suggests the closest candidates. The candidates must be sorted.
func didYouMean(found []candidate) string {
	var names []string
	for _, c := range found {
		if c.distance == found[0].distance && len(names) < maxSuggested && !slices.Contains(names, Quote(c.name)) {
			names = append(names, Quote(c.name))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " Did you mean " + strings.Join(names, " or ") + "?"
}

// Nearest returns the first name that [Suggest] suggests, or "".
func Nearest(input string, known []string) string {
	for _, best := range near(input, known) {
		return best.name
	}
	return ""
}

// candidate is a known name and its edit distance from the input.
type candidate struct {
	name     string
	distance int
}

// near returns the known names that are close to the input, closest first. A name is
// close if few letters differ (see [maxDistance]), or if one name is a prefix of the
// other. near ignores case and separators: memoryMB matches memory_mb. For a
// pattern, near compares only the two ends of a name (see [ends]).
func near(input string, known []string) []candidate {
	before, after, pattern := ends(input)
	bare := plain(before + after)
	if bare == "" || len(input) > maxName || len(known) > maxCandidates {
		return nil
	}
	var found []candidate
	for _, k := range known {
		if len(k) > maxName {
			continue
		}
		name := plain(k)
		if pattern {
			name = plain(k[:min(len(before), len(k))] + k[max(len(k)-len(after), 0):])
		}
		longer := max(len(bare), len(name))
		enough := maxDistance(longer) + 1
		d := distance(bare, name, enough)
		if d < enough && d < longer || len(name) > 3 && !pattern && prefixed(bare, name) {
			found = append(found, candidate{k, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	return found
}

// ends returns the text before the first wildcard and the text after the last
// wildcard. ok is false for input without wildcards.
func ends(input string) (before, after string, ok bool) {
	first := strings.IndexAny(input, "*?")
	if first < 0 {
		return input, "", false
	}
	return input[:first], input[strings.LastIndexAny(input, "*?")+1:], true
}

// maxDistance returns how many letters may differ in a name of this length.
func maxDistance(length int) int {
	switch {
	case length <= 4:
		return 1
	case length <= 8:
		return 2
	}
	return min(length/3, maxEdits)
}

// maxCandidates is the maximum number of known names to compare with the input.
// With more names, suggestions are not useful, and checking a file with many
// mistakes takes too long.
const maxCandidates = 1000

// maxEdits is the maximum number of letters that may differ. The limit keeps
// the search fast for long names.
const maxEdits = 8

// distance returns the number of edits, but at most enough. If two swapped
// adjacent letters are the only difference, they count as one edit.
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

// edits returns the Levenshtein distance, but at most enough. It computes only table
// cells near the diagonal.
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
		row[first-1] = i + 1 // lower bound of the distance at the edge of the band or table
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

// plain returns the name in lower case and without separators.
func plain(name string) string {
	return withoutSeparators.Replace(strings.ToLower(name))
}

func prefixed(a, b string) bool { return strings.HasPrefix(a, b) || strings.HasPrefix(b, a) }

// maxListed is the maximum number of names in a message.
const maxListed = 30

// QuoteList formats names for a sentence; it lists at most the first maxListed names.
// For an empty list, QuoteList returns its second argument.
func QuoteList(names []string, none string) string {
	if len(names) == 0 {
		return none
	}
	if more := len(names) - maxListed; more > 0 {
		return fmt.Sprintf(`"%s" and %d more`, strings.Join(names[:maxListed], `", "`), more)
	}
	return `"` + strings.Join(names, `", "`) + `"`
}

// Quote formats a name for a sentence. It adds no quotes to an address with quotes,
// such as job.exp["a"].
func Quote(name string) string {
	quoted := strconv.Quote(name)
	if strings.Contains(name, `["`) && strings.ReplaceAll(quoted, `\"`, `"`) == `"`+name+`"` {
		return name
	}
	return quoted
}
