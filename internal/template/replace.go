// SPDX-License-Identifier: MPL-2.0

package template

import (
	"fmt"
	"strings"
)

// Replace calls the function tag for each well-formed tag in a string, and replaces
// the tag with the result. If the result is "", the tag does not change.
func Replace(text string, tag func(Ref) string) string {
	if !strings.Contains(text, opening) {
		return text
	}
	var out strings.Builder
	from := 0
	for _, t := range Tags(text) {
		if t.Err != nil {
			continue
		}
		if other := tag(t.Ref); other != "" {
			out.WriteString(text[from:t.Start])
			out.WriteString(other)
			from = t.End
		}
	}
	out.WriteString(text[from:])
	return out.String()
}

// Secret returns the name of the secret to which a reference refers. ok is false
// for references to other objects. If the secret is an element of a map or list of
// secrets, the name contains dots.
func (r Ref) Secret() (name string, ok bool) {
	if r.Root != "secrets" || len(r.Path) == 0 {
		return "", false
	}
	parts := make([]string, len(r.Path))
	for i, p := range r.Path {
		parts[i] = fmt.Sprint(p)
	}
	return strings.Join(parts, "."), true
}

// RenameSecrets renames secrets in the tags of a string. The function tag returns
// the tag for a name. RenameSecrets does not change a tag if rename returns the
// same name.
func RenameSecrets(text string, rename, tag func(name string) string) string {
	return Replace(text, func(ref Ref) string {
		name, ok := ref.Secret()
		if !ok {
			return ""
		}
		if other := rename(name); other != name {
			return tag(other)
		}
		return ""
	})
}
