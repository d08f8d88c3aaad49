// SPDX-License-Identifier: MPL-2.0

package message

import (
	"errors"
	"strings"
)

// hinted is an error with a hint for the user.
type hinted struct {
	error
	hint Fact
}

// WithHint adds a hint to an error. The text of the error does not change.
// Front ends show the hint after the text; see [Phrase.Error].
func WithHint(err error, hint Fact) error { return &hinted{err, hint} }

// Unwrap returns the error without the hint.
func (h *hinted) Unwrap() error { return h.error }

// Hint implements [Hinted].
func (h *hinted) Hint() Fact { return h.hint }

// Hinted is an error that may have a hint. Hint returns nil if there is no hint.
type Hinted interface{ Hint() Fact }

// HintOf returns the first hint in the chain of an error, or nil.
func HintOf(err error) Fact {
	var h Hinted
	if errors.As(err, &h) {
		return h.Hint()
	}
	return nil
}

// Error returns the text of an error with its hint, phrased for a reader.
func (p Phrase) Error(err error) string {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		if text, ok := p.joined(err, all.Unwrap()); ok {
			return text
		}
	}
	if hint := HintOf(err); hint != nil {
		return err.Error() + "; " + p(hint)
	}
	return err.Error()
}

// joined formats the errors of an [errors.Join], one per line. ok is false if
// err has a different format.
func (p Phrase) joined(err error, all []error) (text string, ok bool) {
	plain, phrased := make([]string, len(all)), make([]string, len(all))
	for i, e := range all {
		plain[i], phrased[i] = e.Error(), p.Error(e)
	}
	return strings.Join(phrased, "\n"), strings.Join(plain, "\n") == err.Error()
}
