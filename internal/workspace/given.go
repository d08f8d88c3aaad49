package workspace

import (
	"slices"
	"strings"
)

// given lists what was given beside the configuration as "name=value", by a
// variable of the environment, where commas separate them, and by options.
// Those of the environment come first; an option of the same name hides one.
func (l *loader) given(variable string, options []string) []string {
	var all []string
	environment, _ := l.loaded.lookup(variable)
	for _, one := range strings.Split(environment, ",") {
		one = strings.TrimSpace(one)
		name, _, _ := strings.Cut(one, "=")
		if one != "" && !slices.ContainsFunc(options, func(o string) bool { return strings.HasPrefix(o, name+"=") }) {
			all = append(all, one)
		}
	}
	return append(all, options...)
}

// nameAndValue takes "name=value" apart; ok is false when either is missing.
func nameAndValue(given string) (name, value string, ok bool) {
	name, value, _ = strings.Cut(given, "=")
	return name, value, name != "" && value != ""
}
