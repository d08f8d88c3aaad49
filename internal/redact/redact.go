// SPDX-License-Identifier: MPL-2.0

package redact

import (
	"bytes"
	"unicode/utf8"
)

// Mask replaces secrets.
const Mask = "***"

// MinLength is the minimum length, in characters, of a value that a Redactor masks.
// Masking shorter values would mask large parts of every log.
const MinLength = 4

// Redactor masks a fixed set of secret values. A Redactor without values does not
// change any text. A Redactor is safe for concurrent use.
type Redactor struct {
	m *matcher // nil if there are no values to mask
}

// New returns a Redactor for the values in many forms: unchanged, URL-encoded, hex,
// base64 in three alignments, JSON-escaped and shell-quoted. It also masks values
// that are JSON-escaped or shell-quoted inside a JSON string. It ignores values
// that are shorter than [MinLength].
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

// String replaces every form of every value in s with [Mask].
func (r *Redactor) String(s string) string {
	if r.m == nil {
		return s
	}
	var out bytes.Buffer
	w := r.Writer(&out)
	_, _ = w.Write([]byte(s)) // a buffer never fails
	_ = w.Close()
	return out.String()
}
