// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"syscall"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/message"
)

// Error is the reason why a source cannot provide an item. Callers print the text
// of an Error after the reference and a colon. The text is either a clause or
// complete sentences; see [message.Sentence].
type Error struct {
	// Kind is the catalog entry of the error, such as [hclspec.ItemNotFound].
	Kind   *hclspec.Entry
	Detail string
	// Cause is the underlying error, or nil.
	Cause error
	hint  message.Fact
}

func (e *Error) Error() string {
	if e.Cause == nil {
		return e.Detail
	}
	return e.Detail + ": " + reason(e.Cause)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Hint implements message.Hinted.
func (e *Error) Hint() message.Fact { return e.hint }

func (e *Error) with(hint message.HintKind, item string) *Error {
	e.hint = message.Hint{Kind: hint, Item: item}
	return e
}

// Entry returns the kind. Callers use it to convert the error to a diagnostic.
func (e *Error) Entry() *hclspec.Entry { return e.Kind }

func failure(kind *hclspec.Entry, format string, args ...any) *Error {
	return &Error{Kind: kind, Detail: fmt.Sprintf(format, args...)}
}

func failed(kind *hclspec.Entry, cause error, format string, args ...any) *Error {
	return &Error{Kind: kind, Detail: fmt.Sprintf(format, args...), Cause: cause}
}

// suggestion returns a sentence for the end of an error, or "" if no name is
// similar.
func suggestion(input string, known []string) string {
	if s := hclspec.Suggest(input, known); s != "" {
		return "." + s
	}
	return ""
}

// Is reports whether an error is an [Error] of the given kind.
func Is(err error, kind *hclspec.Entry) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == kind
}

// reason returns the message of an error without the prefixes of outer errors.
func reason(err error) string {
	var dns *net.DNSError
	var outer *url.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "it did not respond in time"
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.As(err, &dns):
		return "the host " + dns.Name + " does not exist"
	case errors.As(err, &outer):
		return outer.Err.Error()
	}
	return err.Error()
}
