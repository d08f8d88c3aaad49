// SPDX-License-Identifier: MPL-2.0

package hclspec

import (
	"regexp"
	"strconv"
	"strings"
)

// Address identifies a declaration in a workspace: job.mnist,
// prerequisite.data.mnist, storage.nfs. A part that is not an identifier is in
// brackets: prerequisite.data["3dunet"]. The address of a declaration in a module
// begins with the module address: module.x["a"].job.mnist.
type Address string

var identifier = regexp.MustCompile(`^[\pL_][\pL\pN_-]*$`)

// NewAddress returns the address with the given kind and parts. It does not
// change a part that already has an instance key, such as train["a"].
func NewAddress(kind string, parts ...string) Address {
	var b strings.Builder
	b.WriteString(kind)
	for _, p := range parts {
		base, _, _ := strings.Cut(p, "[")
		if identifier.MatchString(base) {
			b.WriteByte('.')
			b.WriteString(p)
			continue
		}
		b.WriteByte('[')
		b.WriteString(strconv.Quote(p))
		b.WriteByte(']')
	}
	return Address(b.String())
}

func (a Address) String() string { return string(a) }

// Matches reports whether the pattern matches the address. A pattern without
// wildcards matches the same address. If it is the address of a for_each or of a
// prerequisite with template variables, it also matches every instance. If it is
// the address of a module, it also matches every declaration in the module. The
// wildcard * matches any characters, and ? matches one character. Brackets match
// literally.
func (a Address) Matches(pattern Address) bool {
	if !pattern.IsPattern() {
		rest, ok := strings.CutPrefix(string(a), string(pattern))
		return ok && (isInstance(rest) || pattern.IsModule() && rest[0] == '.')
	}
	glob := strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(regexp.QuoteMeta(string(pattern)))
	return regexp.MustCompile(`(?s)^` + glob + `([\[{].*)?$`).MatchString(string(a))
}

// IsPattern reports whether the address contains * or ?. [Address.Matches]
// treats such an address as a pattern.
func (a Address) IsPattern() bool { return strings.ContainsAny(string(a), "*?") }

// splitName splits an address before the name: job.exp["a"] becomes job. and
// exp["a"].
func (a Address) splitName() (kind, name string) {
	label, _, _ := strings.Cut(string(a.Local()), "[")
	n := len(a) - len(a.Local()) + strings.LastIndexByte(label, '.') + 1
	return string(a[:n]), string(a[n:])
}

// isInstance reports whether the text after an address is empty or an
// instance key.
func isInstance(rest string) bool { return rest == "" || rest[0] == '[' || rest[0] == '{' }

// Declaration returns the address without its for_each instance key, if any.
func (a Address) Declaration() Address {
	labels := 1
	steps := Path(a.Local()).steps()
	if len(steps) > 0 && steps[0].text == "prerequisite" {
		labels = 2 // type and name
	}
	if !strings.HasSuffix(string(a), "]") || len(steps) != labels+2 {
		return a
	}
	return Address(Path(a).Parent())
}

// Like compares the address with other. If other has no instance key, Like
// returns the address without the instance key. Otherwise, Like returns the
// address unchanged.
func (a Address) Like(other Address) Address {
	if other.Declaration() == other {
		return a.Declaration()
	}
	return a
}
