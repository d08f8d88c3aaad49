package template

import (
	"regexp"
	"slices"
	"strings"
)

var placeholder = regexp.MustCompile(`\{\{[ \t]*([A-Za-z_][A-Za-z0-9_-]*)[ \t]*\}\}`)

// FrameworkController fills names with this prefix itself.
const frameworkPrefix = "FC_"

// Fill replaces every {{ name }} that has a value in vars, once: values are
// not filled again. Names that declared answers true for but that have no
// value are returned, each once, in order of appearance; they stay in the
// text, as does every other {{ }}, and {{FC_ }} always.
func Fill(text string, vars map[string]string, declared func(name string) bool) (string, []string) {
	if !strings.Contains(text, "{{") {
		return text, nil
	}
	var missing []string
	filled := placeholder.ReplaceAllStringFunc(text, func(match string) string {
		name := strings.Trim(match, "{} \t")
		if strings.HasPrefix(name, frameworkPrefix) || !declared(name) {
			return match
		}
		value, ok := vars[name]
		if !ok {
			if !slices.Contains(missing, name) {
				missing = append(missing, name)
			}
			return match
		}
		return value
	})
	return filled, missing
}
