package fetch

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// statusError is an answer that is no content.
type statusError struct {
	status     string
	code       int
	retryAfter time.Duration
}

func (e *statusError) Error() string {
	text := "the server answered " + e.status
	if advice := adviceFor[e.code]; advice != "" {
		text += "; " + advice
	}
	return text
}

var adviceFor = map[int]string{
	http.StatusUnauthorized: "give the Authorization header in auth, from a secret",
	http.StatusForbidden:    "the address, or the token in auth, does not permit to read it",
	http.StatusNotFound:     "check the address",
	http.StatusGone:         "it is no longer there; use another address",
}

// passing are the answers that may be another one later.
var passing = map[int]bool{
	http.StatusRequestTimeout: true, http.StatusTooEarly: true, http.StatusTooManyRequests: true,
	http.StatusInternalServerError: true, http.StatusBadGateway: true, http.StatusServiceUnavailable: true, http.StatusGatewayTimeout: true,
}

// refused makes an error of an answer.
func refused(r *http.Response, now time.Time) error {
	err := &statusError{status: r.Status, code: r.StatusCode, retryAfter: retryAfter(r.Header.Get("Retry-After"), now)}
	if passing[r.StatusCode] {
		return err
	}
	return permanent(err)
}

// retryAfter reads seconds or a date; 0 when there is neither.
func retryAfter(text string, now time.Time) time.Duration {
	if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil && n >= 0 {
		return time.Duration(min(n, 1<<30)) * time.Second
	}
	if date, err := http.ParseTime(text); err == nil {
		return max(date.Sub(now), 0)
	}
	return 0
}
