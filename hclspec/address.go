package hclspec

import (
	"regexp"
	"strconv"
	"strings"
)

// Address names a declaration of a workspace: job.mnist,
// prerequisite.data.mnist, storage.nfs. A part that is not an identifier is
// written in brackets: prerequisite.data["3dunet"].
type Address string

var identifier = regexp.MustCompile(`^[\pL_][\pL\pN_-]*$`)

// NewAddress joins parts. A part that already carries an instance key, such
// as train["a"], is kept.
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
