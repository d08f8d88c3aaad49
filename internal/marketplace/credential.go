// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"net/url"
	"strings"
)

// credentialKeys are substrings of query parameter names that indicate a
// credential.
var credentialKeys = []string{"token", "password", "passwd", "secret", "signature", "credential", "apikey", "api_key", "api-key"}

// HasCredential reports whether the userinfo or the query of a URL contains a
// credential. The URL may have a prefix such as git::. Never print a URL that
// contains a credential.
func HasCredential(source string) bool {
	return userHasCredential(source) || queryHasCredential(source)
}

// userHasCredential reports whether a URL contains a password or, over HTTP, a
// user. HTTP servers accept a token as the user. The user of an ssh URL is not a
// credential.
func userHasCredential(source string) bool {
	scheme, rest, _ := strings.Cut(source, "://")
	authority := rest
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		authority = rest[:end]
	}
	at := strings.LastIndex(authority, "@")
	if at < 0 {
		return false
	}
	scheme = strings.ToLower(scheme)
	return strings.Contains(authority[:at], ":") || strings.HasSuffix(scheme, "http") || strings.HasSuffix(scheme, "https")
}

func queryHasCredential(source string) bool {
	_, query, found := strings.Cut(source, "?")
	if !found {
		return false
	}
	query, _, _ = strings.Cut(query, "#")
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if value != "" && isCredentialKey(strings.ToLower(name)) {
			return true
		}
	}
	return false
}

func isCredentialKey(name string) bool {
	if name == "sig" || name == "key" || name == "auth" { // match only whole names, because longer names can have other meanings
		return true
	}
	for _, part := range credentialKeys {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
