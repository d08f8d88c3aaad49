// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Duration is a time span that is written with the units d, h, m and s, such
// as "1d12h". The zero value means "not set".
type Duration time.Duration

type durationUnit struct {
	letter byte
	length time.Duration
}

// durationUnits lists the units from largest to smallest, the order in which
// they appear in a duration.
var durationUnits = []durationUnit{
	{'d', 24 * time.Hour},
	{'h', time.Hour},
	{'m', time.Minute},
	{'s', time.Second},
}

// ParseDuration parses a duration that consists of integers with units, such as
// "90s" or "1d12h". A unit can occur only once, and larger units come first. The
// error message is for the user and does not repeat the input.
func ParseDuration(text string) (Duration, error) {
	if text == "" {
		return 0, fmt.Errorf(`a duration must not be empty; write a number with a unit, such as "30m"`)
	}
	var total time.Duration
	rest, units := text, durationUnits
	for rest != "" {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if digits == 0 || digits == len(rest) {
			return 0, fmt.Errorf(`a duration consists of integers, each followed by one of the units d, h, m and s, for example "1d12h"`)
		}
		length, remainder, err := cutUnit(rest[digits], units)
		if err != nil {
			return 0, err
		}
		n, err := strconv.ParseInt(rest[:digits], 10, 64)
		if err != nil || n > int64((math.MaxInt64-total)/length) {
			return 0, fmt.Errorf("a duration can be at most 290 years")
		}
		total += time.Duration(n) * length
		rest, units = rest[digits+1:], remainder
	}
	return Duration(total), nil
}

// cutUnit returns the length of a unit, and the smaller units that may still
// follow.
func cutUnit(letter byte, units []durationUnit) (time.Duration, []durationUnit, error) {
	for i, u := range units {
		if u.letter == letter {
			return u.length, units[i+1:], nil
		}
	}
	if strings.IndexByte("dhms", letter) >= 0 {
		return 0, nil, fmt.Errorf(`a duration can contain each unit at most once, in the order d, h, m, s, for example "1d12h"`)
	}
	return 0, nil, fmt.Errorf(`a duration uses the units d, h, m and s, for example "1d12h"`)
}

// String returns the canonical form with the largest units and without zero
// parts. A zero duration is "0s". String drops fractions of a second, because
// the notation has no unit for fractions.
func (d Duration) String() string {
	var b strings.Builder
	rest := time.Duration(d)
	for _, u := range durationUnits {
		if n := rest / u.length; n > 0 {
			b.WriteString(strconv.FormatInt(int64(n), 10))
			b.WriteByte(u.letter)
			rest -= n * u.length
		}
	}
	if b.Len() == 0 {
		return "0s"
	}
	return b.String()
}

// MarshalText returns the canonical form, so that JSON shows "1d12h".
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText parses the form that MarshalText returns.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("parse duration %q: %w", text, err)
	}
	*d = parsed
	return nil
}
