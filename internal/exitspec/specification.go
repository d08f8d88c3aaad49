// SPDX-License-Identifier: MPL-2.0

package exitspec

import "slices"

// entries contains all entries in the order in which their patterns are
// tried.
var entries = slices.Concat(engineEntries, containerEntries, runtimeEntries, logEntries)

// Entries returns all entries in the order in which their patterns are tried.
func Entries() []Entry { return slices.Clone(entries) }

// Lookup returns the entry for a code. For a code outside the specification,
// it returns false and the entry for unknown codes of that sign.
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
