// SPDX-License-Identifier: MPL-2.0

package redact

import (
	"fmt"
	"strings"
)

// unreserved are the non-alphanumeric characters that never require encoding
// in a URL (RFC 3986).
const unreserved = "-._~"

// kept lists the characters that programs do not encode in a URL.
var kept = []string{
	unreserved,                        // curl; Go's url.QueryEscape; Python's quote_plus
	unreserved + "/",                  // quote of Python
	unreserved + "!'()*",              // encodeURIComponent of JavaScript
	unreserved + "!'()*;,/?:@&=+$#",   // encodeURI of JavaScript
	unreserved + "!'()*;,/?:@&=+$#[]", // requests of Python
	unreserved + "$&+=:@",             // a path of Go
	unreserved + "$&+,;=",             // a password of Go
	unreserved + "!$&'()*+,;=",        // a password in a URL (RFC 3986)
	unreserved + "!$%&'()*+,",         // a password in a URL of a browser or Node.js
	"-._*", "-._",                     // HTML forms and Java's URLEncoder; older PHP
}

// urlForms percent-encodes the value once for each set in [kept]. Each result
// has four variants: spaces as %20 or plus signs, hex digits in upper or lower
// case.
func urlForms(value string) []string {
	var all []string
	for _, k := range kept {
		encoded := percent(value, k)
		for _, s := range []string{encoded, strings.ReplaceAll(encoded, "%20", "+")} {
			all = append(all, s, lowerEscapes(s))
		}
	}
	return all
}

// percent returns the percent-encoding of value. It does not encode letters,
// digits and the characters in safe.
func percent(value, safe string) string {
	var b strings.Builder
	for _, c := range []byte(value) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte(safe, c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func lowerEscapes(s string) string {
	out := []byte(s)
	for i := 0; i+2 < len(out); i++ {
		if out[i] == '%' {
			copy(out[i+1:], strings.ToLower(string(out[i+1:i+3])))
		}
	}
	return string(out)
}
