// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// statusError is the error for a response with an error status.
type statusError struct {
	status     string
	code       int
	retryAfter time.Duration
}

func (e *statusError) Error() string {
	text := "the server answered " + e.status
	if advice := statusAdvice[e.code]; advice != "" {
		text += "; " + advice
	}
	return text
}

var statusAdvice = map[int]string{
	http.StatusUnauthorized: "set the Authorization header in auth, from a secret",
	http.StatusForbidden:    "check that the URL or the token in auth grants access to the file",
	http.StatusNotFound:     "check the address",
	http.StatusGone:         "the file no longer exists; use a different URL",
}

// responseError returns the error for a response with an error status.
func responseError(r *http.Response, now time.Time) error {
	err := &statusError{status: r.Status, code: r.StatusCode, retryAfter: RetryAfter(r.Header.Get("Retry-After"), now)}
	if err.transient() {
		return err
	}
	return permanent(err)
}

// RetryAfter parses a Retry-After header, in seconds or as a date (RFC 9110,
// section 10.2.3). It returns 0 if the header is invalid.
func RetryAfter(text string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && n >= 0 {
		return time.Duration(min(n, 1<<30)) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(date.Sub(now), 0)
	}
	return 0
}
