package quantity

import "fmt"

// Count returns a number with a regular noun: "1 job", "2 jobs".
func Count(n int, noun string) string {
	return fmt.Sprintf("%d %s", n, Plural(n, noun, noun+"s"))
}

// Plural returns the word for a number of things.
func Plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// Bytes returns a number of bytes: limits, which are whole MiB, as such, others
// in B and kB.
func Bytes[T int | int64](n T) string {
	switch {
	case n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", n>>20)
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f kB", float64(n)/1000)
}
