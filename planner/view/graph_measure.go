// SPDX-License-Identifier: MPL-2.0

package view

// helvetica contains the widths of the characters from space to tilde. The
// unit is a thousandth of the font size. Arial and Liberation Sans have the
// same widths. Source: Adobe's font metrics for the 14 standard PDF fonts.
var helvetica = [95]int{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// boldWidth is the approximate maximum ratio of bold to regular letter width.
const boldWidth = 1.08

// spare is the safety factor for computed widths. Systems without the fonts of
// the drawing may use wider replacement fonts.
const spare = 1.16

func textWidth(text string, size float64) float64 {
	sum := 0
	for _, r := range text {
		sum += units(r)
	}
	return scaled(sum, size)
}

// units returns a width in thousandths of the font size. Characters outside
// printable ASCII are assumed to be wide.
func units(r rune) int {
	if r >= ' ' && r <= '~' {
		return helvetica[r-' ']
	}
	return 1000
}

func scaled(units int, size float64) float64 { return float64(units) * size * spare / 1000 }

// shorten omits the middle, because the ends of a path or address are more
// useful.
func shorten(text string, size, limit float64) string {
	if textWidth(text, size) <= limit {
		return text
	}
	const cut = "..."
	runes := []rune(text)
	head, sum := 0, 0
	for ; scaled(sum+units(runes[head]), size) < limit/3; head++ {
		sum += units(runes[head])
	}
	tail := len(runes)
	for sum += 3 * units('.'); tail > head && scaled(sum+units(runes[tail-1]), size) <= limit; tail-- {
		sum += units(runes[tail-1])
	}
	return string(runes[:head]) + cut + string(runes[tail:])
}
