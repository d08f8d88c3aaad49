package exitspec

import "slices"

// entries holds every entry in the order in which patterns are tried.
var entries = slices.Concat(engineEntries, containerEntries, runtimeEntries, logEntries)

// Entries returns every entry, in the order in which patterns are tried.
func Entries() []Entry { return slices.Clone(entries) }

// Lookup returns the entry of a code. Codes that are not in the specification
// get the entry for unknown positive or negative ones, and known is false.
func Lookup(code int) (entry Entry, known bool) {
	for _, e := range entries {
		if e.Code == code {
			return e, true
		}
	}
	if code < 0 {
		entry, _ = Lookup(codeUndefinedNegative)
	} else {
		entry, _ = Lookup(codeRuntimeExitAbnormally)
	}
	return entry, false
}
