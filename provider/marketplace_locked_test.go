// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"testing"
)

func TestAPlaceIsFromItsSource(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		place, source string
		want          bool
	}{
		{"./market//sub/a.yaml#b", "market", true},
		{"../market//a.yaml", "./market", false},
		{"git::https://example.org/items.git//items/a.yaml?ref=0123456789abcdef#b", "git::https://example.org/items.git//items?ref=main", true},
		{"git::https://example.org/items.git//a.yaml?ref=0123456789abcdef", "git::https://example.org/others.git", false},
		{"https://example.org/a.yaml#b", "https://example.org/a.yaml", true},
		{"rest::https://example.org/api/items/17", "https://example.org/api/", true},
		{"rest::https://example.org/api2/items/17", "https://example.org/api", false},
		{"kubernetes://gpu/team/items-1", "kubernetes://", true},
		{"kubernetes://gpu/team/items-1", "kubernetes://team", true},
		{"kubernetes://gpu/team/items-1", "kubernetes://other", false},
		{"./market//a.yaml", "kubernetes://", false},
	} {
		if got := isFrom(tt.place, tt.source); got != tt.want {
			t.Errorf("%s from %s: %t", tt.place, tt.source, got)
		}
	}
}
