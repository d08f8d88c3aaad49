// SPDX-License-Identifier: MPL-2.0

package shape

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Numbers below 2^tinyExponent are scaled before printing, because the time
// that package big requires is quadratic in the exponent.
const (
	tinyExponent  = -1 << 13
	tinyPrecision = 576 // in bits: Terraform's precision plus the bits lost by scaling
	tinyDigits    = 150
)

// formatNumber formats a number without loss of precision.
func formatNumber(v tftypes.Value) string {
	n := numberOf(v)
	if n.IsInt() {
		return n.Text('f', 0)
	}
	return formatFloat(n, -1)
}

// formatFloat formats n with the given number of significant digits. If
// digits is negative, it uses as many digits as needed.
func formatFloat(n *big.Float, digits int) string {
	if n.Sign() == 0 || n.MantExp(nil) > tinyExponent {
		return n.Text('g', digits)
	}
	if digits < 0 {
		digits = tinyDigits
	}
	shift := int(-float64(n.MantExp(nil)) * math.Log10(2))
	scaled := new(big.Float).SetPrec(tinyPrecision)
	scaled.Mul(new(big.Float).SetPrec(tinyPrecision).Set(n), powerOfTen(shift))
	mantissa, exponent, _ := strings.Cut(scaled.Text('e', digits-1), "e")
	e, _ := strconv.Atoi(exponent)
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	return mantissa + "e" + strconv.Itoa(e-shift)
}

// powerOfTen returns 10^n with the precision used for scaling.
func powerOfTen(n int) *big.Float {
	power := big.NewFloat(1).SetPrec(tinyPrecision)
	for square := big.NewFloat(10).SetPrec(tinyPrecision); n > 0; n >>= 1 {
		if n&1 == 1 {
			power.Mul(power, square)
		}
		square.Mul(square, square)
	}
	return power
}
