package hclspec

import "github.com/agext/levenshtein"

// Suggest returns the sentence ` Did you mean "x"?` with a leading space when
// one of the known names is close to the given one, else "". Close means that
// at most a third of the letters differ.
func Suggest(given string, known []string) string {
	best, bestDistance := "", len(given)/3+1
	for _, k := range known {
		if d := levenshtein.Distance(given, k, nil); d < bestDistance || (len(k) > 3 && best == "" && prefixed(given, k)) {
			best, bestDistance = k, min(d, bestDistance)
		}
	}
	if best == "" {
		return ""
	}
	return ` Did you mean "` + best + `"?`
}

// prefixed reports whether one name is the other plus an ending: justecho and
// justecho_wrong.
func prefixed(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	return a[:len(b)] == b
}
