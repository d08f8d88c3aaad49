// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"net/url"
	"slices"
	"strings"
)

const scheme = "marketplace://"

// Reference is a parsed marketplace:// or http(s):// reference.
type Reference struct {
	// URL is the URL of an item file, without the fragment, or "" for
	// marketplace://.
	URL string
	// Type restricts the search to one type. "" matches any type.
	Type string
	// Either Name or ID is set. In a reference with a URL, both may be empty for a
	// file with only one item.
	Name, ID string
	// From is the name of the marketplace. "" means all marketplaces.
	From string
	// Version is the exact version, or "" for the newest version.
	Version string
}

// IsReference reports whether a string refers to an item outside the workspace.
func IsReference(text string) bool {
	return strings.HasPrefix(text, scheme) || isURL(text)
}

func isURL(text string) bool {
	return strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// ParseReference parses a reference.
func ParseReference(text string) (Reference, error) {
	if HasCredential(text) {
		return Reference{}, failure(InvalidItemReference, "the URL contains a credential, which init would write to the lock file; instead, declare a marketplace with the source and a token")
	}
	if isURL(text) {
		return parseURL(text)
	}
	rest, ok := strings.CutPrefix(text, scheme)
	if !ok {
		return Reference{}, failure(InvalidItemReference, "%q must begin with %s or https://", text, scheme)
	}
	path, query, _ := strings.Cut(rest, "?")
	kind, name, _ := strings.Cut(path, "/")
	ref := Reference{}
	switch {
	case kind == "prerequisites" && strings.HasPrefix(name, "itemId/"):
		ref.ID = unescape(strings.TrimPrefix(name, "itemId/"))
	case kind == "name":
		ref.Name = unescape(name)
	case slices.Contains(Types(), kind):
		ref.Type, ref.Name = kind, unescape(name)
	default:
		return Reference{}, failure(InvalidItemReference, "%q contains %q after marketplace://; valid values are \"name\", a type or \"prerequisites/itemId\"%s", text, kind, intended(kind, name, query))
	}
	if ref.Name == "" && ref.ID == "" {
		return Reference{}, failure(InvalidItemReference, "%q does not contain an item name or ID", text)
	}
	return ref, ref.options(text, query)
}

// intended suggests a correction if the first word of a reference is not a kind.
// The word can be a misspelled kind, an item name or a marketplace name.
func intended(word, rest, query string) string {
	known := append(Types(), "name", "prerequisites/itemId")
	if similar := suggestion(word, known); similar != "" || query != "" {
		return similar
	}
	kind, name, _ := strings.Cut(rest, "/")
	switch {
	case rest == "":
		return "; write " + scheme + "name/" + word
	case name == "" || !slices.Contains(known, kind):
		rest = "name/" + rest
	}
	return "; write " + scheme + rest + "?from=" + url.QueryEscape(word) + " for an item in the marketplace " + word
}

// options parses the query string, which follows the question mark.
func (r *Reference) options(text, query string) error {
	values, err := url.ParseQuery(query)
	if err != nil {
		return failure(InvalidItemReference, "invalid query in %q; write KEY=VALUE pairs, separated by &, with percent-encoded values", text)
	}
	for key, input := range values {
		switch key {
		case "from":
			r.From = input[0]
		case "version":
			r.Version = input[0]
		default:
			return failure(InvalidItemReference, "unknown option %[2]q in %[1]q; valid options are from and version", text, key)
		}
	}
	return nil
}

func parseURL(text string) (Reference, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return Reference{}, failure(InvalidItemReference, "%q is not a URL", text)
	}
	ref := Reference{Name: u.Fragment}
	u.Fragment, u.RawFragment = "", ""
	ref.URL = u.String()
	return ref, nil
}

func unescape(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// String returns the canonical spelling of the reference.
func (r Reference) String() string {
	if r.URL != "" {
		if r.Name == "" {
			return r.URL
		}
		return r.URL + "#" + url.PathEscape(r.Name)
	}
	text := scheme + "name/" + url.PathEscape(r.Name)
	switch {
	case r.ID != "":
		text = scheme + "prerequisites/itemId/" + url.PathEscape(r.ID)
	case r.Type != "":
		text = scheme + r.Type + "/" + url.PathEscape(r.Name)
	}
	var options []string
	if r.From != "" {
		options = append(options, "from="+url.QueryEscape(r.From))
	}
	if r.Version != "" {
		options = append(options, "version="+url.QueryEscape(r.Version))
	}
	if len(options) > 0 {
		text += "?" + strings.Join(options, "&")
	}
	return text
}

// Matches reports whether an item matches the reference. It ignores the version.
func (r Reference) Matches(i *Item) bool {
	switch {
	case r.Type != "" && r.Type != i.Type:
		return false
	case r.ID != "":
		return r.ID == i.ID
	}
	return r.Name == "" || r.Name == i.Name || r.Name == i.Definition()
}
