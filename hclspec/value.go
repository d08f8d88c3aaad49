package hclspec

import (
	"encoding/json"
	"regexp"
)

// Free values (parameters, extras, plugin parameters, tolerations) are one of
//
//	nil, bool, [Number], string, []any, map[string]any
//
// in every front end. No other Go type may appear in them.

// Number is a number in the spelling the user wrote ("1.0" stays "1.0"), so
// that templating prints it unchanged. The front ends make one only of a
// spelling that JSON knows; others (0x1F, .5, 1_000) are texts.
type Number string

// jsonNumber is the grammar of RFC 8259, section 6.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// InJSON reports whether JSON knows the spelling as a number. Hexadecimal
// numbers, infinities and a leading plus of YAML are not known there.
func (n Number) InJSON() bool { return jsonNumber.MatchString(string(n)) }

// MarshalJSON implements json.Marshaler.
func (n Number) MarshalJSON() ([]byte, error) {
	if n.InJSON() {
		return []byte(n), nil
	}
	return json.Marshal(string(n))
}
