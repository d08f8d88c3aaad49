// SPDX-License-Identifier: MPL-2.0

package quantity

import (
	"strings"
	"testing"
)

func TestANounHasTheNumberOfItsCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 jobs", 1: "1 job", 2: "2 jobs"} {
		if got := Count(n, "job"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestThousandsAreSeparated(t *testing.T) {
	for n, want := range map[int]string{0: "0", 16: "16", 999: "999", 1000: "1,000", -999: "-999", -1000: "-1,000", 1234567: "1,234,567"} {
		if got := Grouped(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestSizesHaveABinaryUnit(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 B", 1000: "1000 B", 1024: "1 KiB", 1536: "1.5 KiB", 5 << 20: "5 MiB", 1<<20 + 1: "1.0 MiB", 12_345: "12 KiB", 1_048_300: "1.0 MiB", 408e6: "389 MiB",
	} {
		if got := Bytes(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestLongListsAreShortened(t *testing.T) {
	t.Parallel()
	items := strings.Split("abcdefghij", "")
	for want, got := range map[string]string{
		"":                                       List(nil, "job"),
		"a, b":                                   List(items[:2], "job"),
		"a, b, c, d, e, f, g, h":                 List(items[:8], "job"),
		"a, b, c, d, e, f, g, h, and 1 more job": List(items[:9], "job"),
		"a, b, c, d, e, f, g, h, and 2 more jobs": List(items, "job"),
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
