// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The format of numbers must not change, because states contain hashes of
// parameters.
func TestNumbersKeepTheirText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0":             "0",
		"1.5":           "1.5",
		"0.1":           "0.1",
		"1e3":           "1000",
		"-2.5e-7":       "-2.5e-07",
		"1e-2000":       "1e-2000",
		"1e-99999":      "1e-99999",
		"-1.25e-30000":  "-1.25e-30000",
		"3e-600000000":  "3e-600000000",
		"0.125e-100000": "1.25e-100001",
	} {
		n, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
		if err != nil {
			t.Fatal(err)
		}
		if got := formatNumber(tftypes.NewValue(tftypes.Number, n)); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
