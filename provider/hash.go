// SPDX-License-Identifier: MPL-2.0

package provider

import "strings"

// shortDigits is the number of hash digits that a plan shows.
const shortDigits = 12

// shortHash keeps the first digits of a hash such as h1:610c2bfe56a6… or
// hmac:…. It returns other strings unchanged.
func shortHash(hash string) string {
	kind, digits, ok := strings.Cut(hash, ":")
	if !ok || kind != "h1" && kind != "hmac" || len(digits) <= shortDigits {
		return hash
	}
	return kind + ":" + digits[:shortDigits]
}

func shortHashes(full map[string]string) map[string]string {
	short := make(map[string]string, len(full))
	for name, hash := range full {
		short[name] = shortHash(hash)
	}
	return short
}
