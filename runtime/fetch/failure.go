// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"errors"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"
)

// Failure is the cause of a failed fetch, if it decides whether the task is
// tried again.
type Failure int

// Causes of failure. [FailureUnreachable] may be temporary. [FailureRefused]
// would repeat, also for an unknown host.
const (
	FailureOther Failure = iota
	FailureChecksum
	FailureUnreachable
	FailureRefused
	FailureNoSpace
)

// FailureOf returns the cause of an error of [Fetcher.Fetch].
func FailureOf(err error) Failure {
	var (
		checksum *checksumError
		status   *statusError
		source   *sourceError
		git      *GitError
	)
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return FailureNoSpace
	case errors.As(err, &checksum):
		return FailureChecksum
	case isTransient(err):
		return FailureUnreachable
	case errors.As(err, &status), errors.As(err, &source), errors.As(err, &git) && git.refused():
		return FailureRefused
	}
	return FailureOther
}

// isTransient reports whether the cause may be temporary: a timeout, a broken
// connection, a response such as 503, a failed name server. Refused connections
// and unknown hosts are not transient: the cause is more often a mistake in the
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
		return git.transient()
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
func (e *statusError) transient() bool {
	switch e.code {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return true
	}
	return e.code >= 500
}

// checksumError is content that does not match the declared checksum.
type checksumError struct{ text string }

func (e *checksumError) Error() string { return e.text }

// sourceError is a source that is not available: a file that does not exist, a
// request without a response.
type sourceError struct{ error }

func (e *sourceError) Unwrap() error { return e.error }

// brokenError is a transfer that ended early.
type brokenError struct{ error }

func (e *brokenError) Unwrap() error { return e.error }

// silenceError is a server that stopped sending.
type silenceError struct{ text string }

func (e *silenceError) Error() string { return e.text }

// Timeout marks the error as a timeout, like those of package net.
func (e *silenceError) Timeout() bool { return true }

// GitError is the error that [Fetcher.Git] returns for a failed script.
type GitError struct {
	// Reason describes how the script ended: "exited with code 128".
	Reason string
	// Lines are the last lines that git printed.
	Lines []string
}

func (e *GitError) Error() string {
	text := "git " + e.Reason
	if n := len(e.Lines); n > 0 {
		text += ": " + strings.TrimSpace(e.Lines[n-1])
	}
	return text
}

// Messages of git, which has no error codes. A host that cannot be resolved
// counts as refused, since curl prints the same for a host that does not exist.
var (
	gitNameServer = regexp.MustCompile(`(?i)temporary failure in name resolution`)
	gitRefused    = regexp.MustCompile(`(?i)returned error: 4(00|01|03|04|10)|authentication failed|could not read (username|password)|permission denied|` +
		`not found|does not exist|not appear to be a git repository|find remote ref|could not resolve|certificate|host key verification|connection refused`)
	gitTransient = regexp.MustCompile(`(?i)timed out|connection reset|early eof|unexpected disconnect|operation too slow|rpc failed|returned error: (408|425|429|5\d\d)`)
)

func (e *GitError) has(expr *regexp.Regexp) bool {
	return expr.MatchString(strings.Join(e.Lines, "\n"))
}

func (e *GitError) refused() bool { return !e.has(gitNameServer) && e.has(gitRefused) }

func (e *GitError) transient() bool {
	return e.has(gitNameServer) || !e.has(gitRefused) && e.has(gitTransient)
}
