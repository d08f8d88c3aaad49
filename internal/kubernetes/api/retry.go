// SPDX-License-Identifier: MPL-2.0

package api

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Timeouts limits the time spent on an API server.
type Timeouts struct {
	Request  time.Duration // one request, including its response
	Attempts int           // maximum number of attempts per request
	First    time.Duration // pause after the first failure; doubles with each failure
	Last     time.Duration // maximum pause, even if the server requests a longer pause
}

// DefaultTimeouts are the default limits. Retries continue for 4 to 8 seconds if
// the server fails immediately and requests no delay. If the server stops
// responding, retries continue for about 3 minutes.
var DefaultTimeouts = Timeouts{Request: 30 * time.Second, Attempts: 6, First: 250 * time.Millisecond, Last: 15 * time.Second}

// triesBeforeContact is the maximum number of attempts per request if the server has
// never responded. Such a server is probably unreachable.
const triesBeforeContact = 2

// errNoAnswer is returned if a request times out.
var errNoAnswer = errors.New("the API server did not respond in time")

// timeoutCause returns errNoAnswer if the request timed out. Otherwise, it returns
// err, for example if the caller's context ended.
func timeoutCause(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errNoAnswer) {
		return errNoAnswer
	}
	return err
}

// backoff tracks the attempts and the pause of one request.
type backoff struct {
	timeouts Timeouts
	tried    int
	pause    time.Duration
}

func newBackoff(t Timeouts) *backoff { return &backoff{timeouts: t, pause: t.First} }

// next returns the pause before a retry, and false if the request should not be
// retried. Jitter prevents simultaneous retries by many clients.
func (b *backoff) next(err error) (time.Duration, bool) {
	b.tried++
	if b.tried >= b.timeouts.Attempts || !retryable(err) {
		return 0, false
	}
	pause := b.pause/2 + rand.N(b.pause/2+1)
	b.pause = min(2*b.pause, b.timeouts.Last)
	if asked, ok := apierrors.SuggestsClientDelay(err); ok {
		pause = max(pause, min(time.Duration(asked)*time.Second, b.timeouts.Last))
	}
	return pause, true
}

func isTimeout(err error) bool {
	var broken net.Error
	return errors.Is(err, errNoAnswer) || errors.As(err, &broken) && broken.Timeout()
}

// retryable reports whether the request may succeed later: the server is busy
// (429), fails (5xx) or is unreachable, or two writes conflicted.
func retryable(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) && !isCertificate(err) && !isCredentialPlugin(err)
	}
	switch code := int(status.Status().Code); code {
	case http.StatusTooManyRequests, http.StatusRequestTimeout:
		return true
	case http.StatusConflict:
		return !IsOwnerConflict(err) && !apierrors.IsAlreadyExists(err)
	default:
		return code >= http.StatusInternalServerError && code != http.StatusNotImplemented
	}
}
