// SPDX-License-Identifier: MPL-2.0

package quantity

import (
	"fmt"
	"strconv"
	"strings"
)

// Count returns a number and a noun with a regular plural: "1 job", "2 jobs".
func Count(n int, noun string) string {
	return fmt.Sprintf("%d %s", n, Plural(n, noun, noun+"s"))
}

// maxListed is the maximum number of items that List prints.
const maxListed = 8

// List joins the first maxListed items and counts the remaining items: "a, b,
// and 3 more jobs".
func List(items []string, noun string) string {
	if more := len(items) - maxListed; more > 0 {
		return strings.Join(items[:maxListed], ", ") + ", and " + Count(more, "more "+noun)
	}
	return strings.Join(items, ", ")
}

// Grouped returns a number with a comma before each group of three digits.
func Grouped(n int) string {
	text := strconv.Itoa(n)
	first := 0 // index of the first digit
	if n < 0 {
		first = 1
	}
	for i := len(text) - 3; i > first; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Plural returns the singular if n is 1, and the plural otherwise.
func Plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Bytes formats a number of bytes with a binary unit, because "memory_mb" is also
// in MiB. A rounded value has at least two digits.
func Bytes[T int | int64](n T) string {
	value, units := float64(n), []string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	for value >= 1023.5 && len(units) > 1 {
		value, units = value/1024, units[1:]
	}
	if value < 9.95 && value != float64(int(value)) {
		return fmt.Sprintf("%.1f %s", value, units[0])
	}
	return fmt.Sprintf("%.0f %s", value, units[0])
}
