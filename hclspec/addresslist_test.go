// SPDX-License-Identifier: MPL-2.0

package hclspec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestNumberedInstancesAreFolded(t *testing.T) {
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
		"none":                   {nil, ""},
		"one":                    {[]hclspec.Address{`job.exp["3"]`}, `job.exp["3"]`},
		"instances with numbers": {instances, "job.exp[0-11]"},
		"labels with numbers":    {labels, "job.exp[0-11]"},
		"instances and labels with the same numbers": {append(instances[:2:2], labels[:3]...), `job.exp0, job.exp1, job.exp2, job.exp[0, 1]`},
		"two before ten":                            {[]hclspec.Address{"job.exp10", "job.exp2"}, "job.exp2, job.exp10"},
		"a gap":                                     {[]hclspec.Address{`job.e["0"]`, `job.e["1"]`, `job.e["2"]`, `job.e["7"]`}, "job.e[0-2, 7]"},
		"keys that are words":                       {[]hclspec.Address{`job.e["b"]`, `job.e["a"]`}, `job.e["a", "b"]`},
		"words and numbers":                         {[]hclspec.Address{`job.e["a"]`, `job.e["1"]`}, `job.e["1", "a"]`},
		"numbers with leading zeros":                {[]hclspec.Address{`job.s["003"]`, `job.s["123"]`, `job.s["124"]`}, `job.s["003", "123", "124"]`},
		"a range, a number and a word":              {[]hclspec.Address{`job.e["a"]`, `job.e["0"]`, `job.e["1"]`, `job.e["2"]`, `job.e["7"]`}, `job.e[0-2, 7], job.e["a"]`},
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

func TestListAddressesIsLimited(t *testing.T) {
	t.Parallel()
	var keyed, numbered []hclspec.Address
	for i := range 200 {
		keyed = append(keyed, hclspec.Address(fmt.Sprintf("job.exp[%q]", fmt.Sprintf("seed=%d", i))))
		numbered = append(numbered, hclspec.Address(fmt.Sprintf("job.exp[%q]", fmt.Sprint(i))))
	}
	tests := map[string]struct {
		addresses []hclspec.Address
		limit     int
		want      string
	}{
		"a list that fits":                    {keyed[:2], 40, `job.exp["seed=0", "seed=1"]`},
		"a range is one item":                 {numbered, 40, "job.exp[0-199]"},
		"keys that vary":                      {keyed, 40, `job.exp["seed=0", "seed=1", "seed=2"] and 197 more`},
		"the first address exceeds the limit": {keyed, 3, `job.exp["seed=0"] and 199 more`},
		"a single address exceeds the limit":  {keyed[:1], 3, `job.exp["seed=0"]`},
		"none":                                {nil, 3, ""},
	}
	for name, tt := range tests {
		if got := hclspec.ListAddresses(tt.addresses, tt.limit); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
