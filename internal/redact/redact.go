package redact

import (
	"bytes"
	"unicode/utf8"
)

// Mask is where a secret was.
const Mask = "***"

// MinLength is the number of characters from which a value is masked. Masking
// shorter ones would eat half of every log.
const MinLength = 4

// Redactor masks a fixed set of secret values; without values it passes
// everything on. It is safe for concurrent use.
type Redactor struct {
	m *matcher // nil when there is nothing to mask
}

// New returns a Redactor for the values, each in all its forms: as it is,
// URL-encoded, base64 in three alignments, JSON-escaped and shell-quoted, the
// last two also inside of JSON.
// Values of fewer than [MinLength] characters are omitted.
func New(values ...string) *Redactor {
	var patterns []string
	for _, v := range values {
		if Maskable(v) {
			patterns = append(patterns, forms(v)...)
		}
	}
	return &Redactor{m: newMatcher(patterns)}
}

// Maskable reports whether the value is long enough to be masked.
func Maskable(value string) bool {
	return utf8.RuneCountInString(value) >= MinLength
}

// String returns s with every form of every value replaced by [Mask].
func (r *Redactor) String(s string) string {
	if r.m == nil {
		return s
	}
	var out bytes.Buffer
	w := r.Writer(&out)
	_, _ = w.Write([]byte(s)) // a buffer takes everything
	_ = w.Close()
	return out.String()
}
