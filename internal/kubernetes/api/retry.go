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

// Timeouts limit how long an API server is waited for.
type Timeouts struct {
	Request  time.Duration // one request, its answer included
	Attempts int           // how often one is sent in all
	First    time.Duration // the pause after the first failure; it doubles
	Last     time.Duration // the longest pause, also when the server asks for more
}

// DefaultTimeouts limit a request to 4 to 8 seconds when the server fails at
// once and asks for no delay, and to about 3 minutes when it stops responding.
var DefaultTimeouts = Timeouts{Request: 30 * time.Second, Attempts: 6, First: 250 * time.Millisecond, Last: 15 * time.Second}

// triesBeforeContact is how often one request is sent to a server that lets the time
// pass and never answered any: it is hardly there.
const triesBeforeContact = 2

// errNoAnswer says that the time limit of one request was reached.
var errNoAnswer = errors.New("the API server did not answer in time")

// timeoutCause distinguishes the end of the caller's context from that of the request.
func timeoutCause(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errNoAnswer) {
		return errNoAnswer
	}
	return err
}

// backoff counts the tries of one request.
type backoff struct {
	timeouts Timeouts
	tried    int
	pause    time.Duration
}

func newBackoff(t Timeouts) *backoff { return &backoff{timeouts: t, pause: t.First} }

// next says whether the request that failed is sent again, and after what
// pause. Pauses vary, so that many clients do not come back together.
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

// isTimeout reports whether the time limit of a request, or that of making the
// connection, was reached.
func isTimeout(err error) bool {
	var broken net.Error
	return errors.Is(err, errNoAnswer) || errors.As(err, &broken) && broken.Timeout()
}

// retryable reports whether the same request may succeed later: the server is
// busy, ill or out of reach, or two writers met.
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
