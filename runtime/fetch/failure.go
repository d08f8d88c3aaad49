// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"syscall"

	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
)

// Failure is the cause of a failed fetch. It determines whether the cluster
// retries the task.
type Failure int

// Causes of failure. [FailureUnreachable] may be temporary. All causes with
// the same code as [FailureRefused] are permanent. They differ in their
// hints.
const (
	FailureOther Failure = iota
	FailureChecksum
	FailureUnreachable
	FailureRefused
	FailureUnknownHost
	FailureNoListener
	FailureCertificate
	FailureNoSpace
)

// Code returns the failure's code in the exit specification, or 0 if it has
// none.
func (f Failure) Code() int {
	return [...]int{
		FailureOther: 0, FailureChecksum: exitspec.CodeChecksum, FailureUnreachable: exitspec.CodeSourceUnreachable,
		FailureRefused: exitspec.CodeSourceRefused, FailureUnknownHost: exitspec.CodeSourceRefused, FailureNoListener: exitspec.CodeSourceRefused,
		FailureCertificate: exitspec.CodeSourceRefused, FailureNoSpace: exitspec.CodeNoSpace,
	}[f]
}

// Hint returns the failure's own hint, or "" if the hint for [Failure.Code]
// applies.
func (f Failure) Hint() exitspec.Hint {
	switch f {
	case FailureUnknownHost:
		return exitspec.HintCheckHost
	case FailureNoListener:
		return exitspec.HintCheckPort
	case FailureCertificate:
		return exitspec.HintCheckCertificate
	}
	return ""
}

// FailureOf returns the cause of an error that [Fetcher.Fetch] returned.
func FailureOf(err error) Failure {
	var (
		checksum *checksumError
		status   *statusError
		source   *sourceError
		git      *GitError
		dns      *net.DNSError
		verify   *tls.CertificateVerificationError
	)
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return FailureNoSpace
	case errors.As(err, &checksum):
		return FailureChecksum
	case isTransient(err):
		return FailureUnreachable
	case errors.As(err, &dns):
		return FailureUnknownHost
	case errors.Is(err, syscall.ECONNREFUSED):
		return FailureNoListener
	case errors.As(err, &verify):
		return FailureCertificate
	case errors.As(err, &status), errors.As(err, &source):
		return FailureRefused
	case errors.As(err, &git):
		return git.Failure()
	}
	return FailureOther
}

// isTransient reports whether the cause may be temporary, such as a timeout, a
// broken connection, a 503 response or a failed name server. Refused connections
// and unknown hosts are not transient: their usual cause is a mistake in the
// address.
func isTransient(err error) bool {
	var (
		status  *statusError
		git     *GitError
		broken  *brokenError
		dns     *net.DNSError
		timeout interface{ Timeout() bool }
	)
	switch {
	case errors.As(err, &status):
		return status.transient()
	case errors.As(err, &git):
		return git.Failure() == FailureUnreachable
	case errors.As(err, &broken):
		return true
	case errors.As(err, &dns):
		return !dns.IsNotFound && (dns.IsTemporary || dns.IsTimeout)
	case errors.As(err, &timeout) && timeout.Timeout():
		return true
	}
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// transient reports whether the same request may succeed later.
func (e *statusError) transient() bool { return StatusFailure(e.code) == FailureUnreachable }

// StatusFailure returns the cause of failure for an HTTP error status.
func StatusFailure(code int) Failure {
	switch code {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return FailureUnreachable
	}
	if code >= http.StatusInternalServerError {
		return FailureUnreachable
	}
	return FailureRefused
}

// checksumError is the error for content that does not match the declared checksum.
type checksumError struct{ text string }

func (e *checksumError) Error() string { return e.text }

// sourceError is the error for an unavailable source, such as a missing file or a
// request without a response.
type sourceError struct{ error }

func (e *sourceError) Unwrap() error { return e.error }

// brokenError is the error for a transfer that ended early.
type brokenError struct{ error }

func (e *brokenError) Unwrap() error { return e.error }

// silenceError is the error for a server that stopped sending.
type silenceError struct{ text string }

func (e *silenceError) Error() string { return e.text }

// Timeout marks the error as a timeout, like timeout errors from package net.
func (e *silenceError) Timeout() bool { return true }
