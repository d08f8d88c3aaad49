// SPDX-License-Identifier: MPL-2.0

package shellquote

import (
	"strings"
	"unicode"
)

// Quote returns s as one word in single quotes.
func Quote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Word returns s as one word. It quotes s only if a shell would interpret or split
// it.
func Word(s string) string {
	if s != "" && strings.IndexFunc(s, isSpecial) < 0 {
		return s
	}
	return Quote(s)
}

// isSpecial reports whether a character may have a special meaning in a shell.
func isSpecial(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') &&
		r <= unicode.MaxASCII && !strings.ContainsRune("/._-+=:@%,", r)
}
