// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"strings"
	"testing"
)

func TestHashesAreShort(t *testing.T) {
	t.Parallel()
	digits := strings.Repeat("0123456789abcdef", 4)
	tests := map[string]struct{ full, want string }{
		"a content hash":              {"h1:" + digits, "h1:0123456789ab"},
		"a keyed hash":                {"hmac:" + digits, "hmac:0123456789ab"},
		"a short hash":                {"h1:0123", "h1:0123"},
		"a version that the user set": {"v:" + digits, "v:" + digits},
		"nothing":                     {"", ""},
	}
	for name, tt := range tests {
		if got := shortHash(tt.full); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
