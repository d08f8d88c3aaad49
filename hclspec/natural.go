// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"cmp"
	"strings"
)

// CompareNatural compares strings, treating runs of digits as numbers: exp2
// comes before exp10. Runs that begin with 0 are compared as strings. Therefore,
// 0.01 and 0.02 come before 0.1. It returns 0 only if the strings are identical.
func CompareNatural[S ~string](a, b S) int {
	for a != "" && b != "" {
		da, db := digits(string(a)), digits(string(b))
		if da > 0 && db > 0 {
			byLength := 0
			if a[0] != '0' && b[0] != '0' {
				byLength = cmp.Compare(da, db)
			}
			if c := cmp.Or(byLength, cmp.Compare(a[:da], b[:db])); c != 0 {
				return c
			}
			a, b = a[da:], b[db:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func digits(text string) int {
	return len(text) - len(strings.TrimLeft(text, "0123456789"))
}
