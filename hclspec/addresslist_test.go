// SPDX-License-Identifier: MPL-2.0

package hclspec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestFoldAddresses(t *testing.T) {
	t.Parallel()
	var instances, labels []hclspec.Address
	for i := range 12 {
		instances = append(instances, hclspec.Address(fmt.Sprintf("job.exp[%q]", fmt.Sprint(i))))
		labels = append(labels, hclspec.Address(fmt.Sprintf("job.exp%d", i)))
	}
	tests := map[string]struct {
		addresses []hclspec.Address
		want      string
	}{
		"none":                            {nil, ""},
		"one":                             {[]hclspec.Address{`job.exp["3"]`}, `job.exp["3"]`},
		"instances with numbers":          {instances, "job.exp[0-11]"},
		"labels with numbers":             {labels, "job.exp[0-11]"},
		"both, which would look the same": {append(instances[:2:2], labels[:3]...), `job.exp0, job.exp1, job.exp2, job.exp[0, 1]`},
		"two before ten":                  {[]hclspec.Address{"job.exp10", "job.exp2"}, "job.exp2, job.exp10"},
		"a gap":                           {[]hclspec.Address{`job.e["0"]`, `job.e["1"]`, `job.e["2"]`, `job.e["7"]`}, "job.e[0-2, 7]"},
		"keys that are words":             {[]hclspec.Address{`job.e["b"]`, `job.e["a"]`}, `job.e["a", "b"]`},
		"words and numbers":               {[]hclspec.Address{`job.e["a"]`, `job.e["1"]`}, `job.e["1", "a"]`},
		"numbers with leading zeros":      {[]hclspec.Address{`job.s["003"]`, `job.s["123"]`, `job.s["124"]`}, `job.s["003", "123", "124"]`},
		"a range, a number and a word":    {[]hclspec.Address{`job.e["a"]`, `job.e["0"]`, `job.e["1"]`, `job.e["2"]`, `job.e["7"]`}, `job.e[0-2, 7], job.e["a"]`},
		"numbers with leading zeros are not joined": {[]hclspec.Address{"job.e00", "job.e01", "job.e02"}, "job.e00, job.e01, job.e02"},
		"a key with a quote":                        {[]hclspec.Address{`job.e["a\"]"]`, `job.e["b"]`}, `job.e["a\"]", "b"]`},
		"two families":                              {[]hclspec.Address{"job.train", `job.e["1"]`, `job.e["0"]`}, "job.e[0, 1], job.train"},
		"numbers that exceed 64 bits":               {[]hclspec.Address{"job.e99999999999999999999", "job.e9"}, "job.e9, job.e99999999999999999999"},
	}
	for name, tt := range tests {
		if got := strings.Join(hclspec.FoldAddresses(tt.addresses), ", "); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
