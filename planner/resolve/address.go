// SPDX-License-Identifier: MPL-2.0

package resolve

import (
	"strconv"
	"strings"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// addressParts splits an address such as prerequisite.data["3d"]. It returns
// nil for an invalid address.
func addressParts(s string) []string {
	var parts []string
	for rest := s; rest != ""; {
		if strings.HasPrefix(rest, `["`) {
			quoted, err := strconv.QuotedPrefix(rest[1:])
			if err != nil || !strings.HasPrefix(rest[1+len(quoted):], "]") {
				return nil
			}
			part, _ := strconv.Unquote(quoted)
			parts, rest = append(parts, part), rest[len(quoted)+2:]
			continue
		}
		if len(parts) > 0 && !strings.HasPrefix(rest, ".") {
			return nil
		}
		rest = strings.TrimPrefix(rest, ".")
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		if end == 0 {
			return nil
		}
		parts, rest = append(parts, rest[:end]), rest[end:]
	}
	return parts
}

// isAddress reports whether a reference begins with the kind followed by a
// dot or bracket: "prerequisite." or "prerequisite[". A module address may
// precede the kind.
func isAddress(s, kind string) bool {
	local := hclspec.Address(s).Local().String()
	return strings.HasPrefix(local, kind+".") || strings.HasPrefix(local, kind+"[")
}

// normalAddress returns the canonical form: prerequisite.data["mnist"]
// becomes prerequisite.data.mnist. Parts after the name are instance keys.
func normalAddress(s string) hclspec.Address {
	module, local := hclspec.Address(s).Split()
	parts := addressParts(local.String())
	if len(parts) < 3 {
		return hclspec.Address(s)
	}
	a := hclspec.NewAddress(parts[0], parts[1], parts[2])
	for _, key := range parts[3:] {
		a += hclspec.Address("[" + strconv.Quote(key) + "]")
	}
	return a.In(module)
}

// isItem reports whether target is a marketplace item or a URL outside the
// workspace.
func isItem(target string) bool {
	for _, scheme := range []string{"marketplace://", "http://", "https://"} {
		if strings.HasPrefix(target, scheme) {
			return true
		}
	}
	return false
}
