// SPDX-License-Identifier: MPL-2.0

package redact

import (
	"fmt"
	"strings"
)

// unreserved are the characters, in addition to letters and digits, that never
// require encoding in a URL (RFC 3986).
const unreserved = "-._~"

// kept lists, for each program, the characters that the program does not encode in
// a URL.
var kept = []string{
	unreserved,                        // curl; a query of Go; quote_plus of Python
	unreserved + "/",                  // quote of Python
	unreserved + "!'()*",              // encodeURIComponent of JavaScript
	unreserved + "!'()*;,/?:@&=+$#",   // encodeURI of JavaScript
	unreserved + "!'()*;,/?:@&=+$#[]", // requests of Python
	unreserved + "$&+=:@",             // a path of Go
	unreserved + "$&+,;=",             // a password of Go
	unreserved + "!$&'()*+,;=",        // a password by RFC 3986
	unreserved + "!$%&'()*+,",         // a password of a browser or Node
	"-._*", "-._",                     // forms of HTML; URLEncoder of Java; older PHP
}

// urlForms returns the value in the encodings of the programs in kept: with %20 or
// a plus sign for a space, and with hex digits in either case.
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

// percent encodes all characters except letters, digits and the characters in
// safe.
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

// lowerEscapes converts the digits of percent escapes to lower case.
func lowerEscapes(s string) string {
	out := []byte(s)
	for i := 0; i+2 < len(out); i++ {
		if out[i] == '%' {
			copy(out[i+1:], strings.ToLower(string(out[i+1:i+3])))
		}
	}
	return string(out)
}
