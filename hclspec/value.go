// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"encoding/json"
	"regexp"
)

// Free-form values (parameters, extras, plugin parameters, tolerations) have
// one of these types
//
//	nil, bool, [Number], string, []any, map[string]any
//
// in every front end. They contain values of no other Go type.

// Number is the source text of a number. Templating therefore prints "1.0"
// unchanged. The front ends create a Number only from valid JSON numbers.
// Other notations (0x1F, .5, 1_000) become strings.
type Number string

// jsonNumber matches the numbers of RFC 8259, section 6.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// InJSON reports whether n is a valid JSON number. YAML also allows
// hexadecimal numbers, infinities and a leading plus; JSON does not.
func (n Number) InJSON() bool { return jsonNumber.MatchString(string(n)) }

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if n.InJSON() {
		return []byte(n), nil
	}
	return json.Marshal(string(n))
}
