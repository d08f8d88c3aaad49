// SPDX-License-Identifier: MPL-2.0

package planner

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAlignPairsEqualAndChangedElements(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ before, after, want string }{
		"equal lists are aligned": {"a b c", "a b c", "a=a b=b c=c"},
		"an element added at the start does not move the other elements":  {"a b", "x a b", "-=x a=a b=b"},
		"a removed element does not move the other elements":              {"a b c", "a c", "a=a b=- c=c"},
		"a changed element is paired":                                     {"a b c", "a x c", "a=a b=x c=c"},
		"more elements are added than removed between two equal elements": {"a b c", "a x y c", "a=a b=x -=y c=c"},
		"two swapped elements, one of which stays paired":                 {"a b", "b a", "a=- b=b -=a"},
		"from nothing":   {"", "a", "-=a"},
		"to nothing":     {"a b", "", "a=- b=-"},
		"nothing at all": {"", "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			before, after := strings.Fields(tt.before), strings.Fields(tt.after)
			if diff := cmp.Diff(tt.want, shownPairs(before, after)); diff != "" {
				t.Errorf("pairs (-want +got):\n%s", diff)
			}
		})
	}
}

func shownPairs(before, after []string) string {
	var all []string
	for _, p := range align(before, after) {
		b, a := "-", "-"
		if p.before >= 0 {
			b = before[p.before]
		}
		if p.after >= 0 {
			a = after[p.after]
		}
		all = append(all, b+"="+a)
	}
	return strings.Join(all, " ")
}

// FuzzAlign checks that each element appears once and in order, and that no
// pair is empty.
func FuzzAlign(f *testing.F) {
	f.Add("abc", "xbc")
	f.Add("", "aa")
	f.Add(strings.Repeat("ab", 600), strings.Repeat("ba", 900)) // above lcsLimit
	f.Fuzz(func(t *testing.T, b, a string) {
		before, after := strings.Split(b, ""), strings.Split(a, "")
		var gotBefore, gotAfter []string
		for _, p := range align(before, after) {
			if p.before < 0 && p.after < 0 {
				t.Fatal("empty pair")
			}
			if p.before >= 0 {
				gotBefore = append(gotBefore, before[p.before])
			}
			if p.after >= 0 {
				gotAfter = append(gotAfter, after[p.after])
			}
		}
		if !slices.Equal(gotBefore, before) && len(before) > 0 || !slices.Equal(gotAfter, after) && len(after) > 0 {
			t.Fatalf("align(%q, %q) lost or moved elements", b, a)
		}
	})
}
