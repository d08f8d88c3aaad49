package hclspec

import (
	"strings"

	"github.com/agext/levenshtein"
)

// Suggest returns the sentence ` Did you mean "x"?` with a leading space when
// one of the known names is close to the given one, else "". Close means that
// at most a third of the letters differ; memoryMB and memory_mb are equal.
func Suggest(given string, known []string) string {
	if best := Nearest(given, known); best != "" {
		return ` Did you mean "` + best + `"?`
	}
	return ""
}

// maxCandidates bounds how many names are compared. Among more, the one that
// was meant is not to be guessed, and a file with many mistakes would keep the
// program busy.
const maxCandidates = 300

// Nearest returns the known name that [Suggest] suggests, or "".
func Nearest(given string, known []string) string {
	if given == "" || len(known) > maxCandidates {
		return ""
	}
	best, bestDistance := "", len(given)/3+1
	bare := plain(given)
	for _, k := range known {
		if bare == plain(k) {
			best = k
			break
		}
		if d := distance(given, k); d < bestDistance || (len(k) > 3 && best == "" && prefixed(given, k)) {
			best, bestDistance = k, min(d, bestDistance)
		}
	}
	return best
}

// distance is the number of edits between two names, where two letters that
// changed places are one.
func distance(a, b string) int {
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
	return levenshtein.Distance(a, b, nil)
}

var withoutSeparators = strings.NewReplacer("_", "", "-", "")

// plain is a name without case and separators.
func plain(name string) string {
	return withoutSeparators.Replace(strings.ToLower(name))
}

// prefixed reports whether one name is the other plus an ending: justecho and
// justecho_wrong.
func prefixed(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	return a[:len(b)] == b
}
