package kubernetes

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// timeouts bound the patience with an API server.
type timeouts struct {
	request  time.Duration // one request, its answer included
	attempts int           // how often one is sent in all
	first    time.Duration // the pause after the first failure; it doubles
	last     time.Duration // the longest pause, also when the server asks for more
}

var defaultTimeouts = timeouts{request: 30 * time.Second, attempts: 6, first: 250 * time.Millisecond, last: 15 * time.Second}

// silentTries is how often one request is sent to a server that lets the time
// pass and never answered any: it is hardly there.
const silentTries = 2

// errNoAnswer says that the time limit of one request was reached.
var errNoAnswer = errors.New("the API server did not answer in time")

// cause tells the end of the caller's context from that of the request.
func cause(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errNoAnswer) {
		return errNoAnswer
	}
	return err
}

// backoff counts the tries of one request.
type backoff struct {
	timeouts timeouts
	tried    int
	pause    time.Duration
}

func newBackoff(t timeouts) *backoff { return &backoff{timeouts: t, pause: t.first} }

// next says whether the request that failed is sent again, and after what
// pause. Pauses vary, so that many clients do not come back together.
func (b *backoff) next(err error) (time.Duration, bool) {
	b.tried++
	if b.tried >= b.timeouts.attempts || !mayPass(err) {
		return 0, false
	}
	pause := b.pause/2 + rand.N(b.pause/2+1)
	b.pause = min(2*b.pause, b.timeouts.last)
	if asked, ok := apierrors.SuggestsClientDelay(err); ok {
		pause = max(pause, min(time.Duration(asked)*time.Second, b.timeouts.last))
	}
	return pause, true
}

// isTimeout reports whether the time limit of a request, or that of making the
// connection, was reached.
func isTimeout(err error) bool {
	var broken net.Error
	return errors.Is(err, errNoAnswer) || errors.As(err, &broken) && broken.Timeout()
}

// mayPass reports whether the same request may succeed later: the server is
// busy, ill or out of reach, or two writers met.
func mayPass(err error) bool {
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) && !isCertificate(err) && !isCredentialPlugin(err)
	}
	switch code := int(status.Status().Code); code {
	case http.StatusTooManyRequests, http.StatusRequestTimeout:
		return true
	case http.StatusConflict:
		return !isOwnerConflict(err) && !apierrors.IsAlreadyExists(err)
	default:
		return code >= http.StatusInternalServerError && code != http.StatusNotImplemented
	}
}
