// SPDX-License-Identifier: MPL-2.0

package hclspec_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

func TestNumbersAreComparedByValue(t *testing.T) {
	t.Parallel()
	tests := map[string][]hclspec.Address{
		"numbers at the end":       {"job.exp2", "job.exp10"},
		"keys of instances":        {`job.exp["0"]`, `job.exp["2"]`, `job.exp["10"]`},
		"numbers within a name":    {"job.a2b9", "job.a10b1"},
		"a prefix first":           {"job.a", "job.a1", "job.ab"},
		"leading zeros":            {"job.a0", "job.a00", "job.a01", "job.a09", "job.a1", "job.a10"},
		"fractions":                {`job.a["0.001"]`, `job.a["0.01"]`, `job.a["0.02"]`, `job.a["0.1"]`, `job.a["1"]`},
		"numbers longer than int":  {"job.a99999999999999999998", "job.a99999999999999999999", "job.a100000000000000000000"},
		"a digit before a letter":  {"job.a1", "job.aa"},
		"characters beyond ASCII":  {`job.a["é2"]`, `job.a["é10"]`},
		"numbers of both versions": {"job.v1-2", "job.v1-10", "job.v2-1"},
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := slices.Clone(want)
			slices.Reverse(got)
			slices.SortFunc(got, hclspec.CompareNatural)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("order (-want +got):\n%s", diff)
			}
		})
	}
}
