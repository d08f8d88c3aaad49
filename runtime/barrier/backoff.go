// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/openpai/terraform-provider-openpai/runtime"
)

// backoff distinguishes transient from permanent errors, and computes the delay
// before the next request.
type backoff struct {
	denied     int // consecutive 401 and 403 responses
	failed     int // other errors
	retryAfter time.Duration
}

// deniedTries is the maximum number of tries for a denied request. Retries
// are necessary because a new role binding does not take effect immediately.
const deniedTries = 3

// next returns a *runtime.BarrierError for a permanent error, otherwise nil.
func (p *backoff) next(err error, api *API) error {
	p.retryAfter = 0
	if err == nil {
		p.denied, p.failed = 0, 0
		return nil
	}
	var r *statusError
	if !errors.As(err, &r) {
		p.failed++
		return nil
	}
	p.retryAfter = r.retryAfter
	switch r.code {
	case http.StatusNotFound:
		return permanent("%s does not exist: %s", r.what, r.message)
	case http.StatusUnauthorized, http.StatusForbidden:
		p.denied++
		if p.denied < deniedTries {
			return nil
		}
		if r.code == http.StatusUnauthorized {
			return permanent("the API server rejected the token of %s: %s %s: %s", api.Account(), r.verb, r.what, r.message)
		}
		return permanent("%s may not %s %s; grant the permission in a Role: %s", api.Account(), r.verb, r.what, r.message)
	}
	p.failed++
	return nil
}

// delay returns the time before the next request. The delay is random, so that
// tasks do not send requests at the same time.
func (p *backoff) delay() time.Duration {
	if n := p.denied + p.failed; n > 0 {
		grown := min(200*time.Millisecond<<min(n, 10), 15*time.Second)
		return max(p.retryAfter, grown/2+rand.N(grown/2))
	}
	return rand.N(100 * time.Millisecond)
}

func permanent(format string, args ...any) error {
	return &runtime.BarrierError{Code: codePermanent, Reason: fmt.Sprintf(format, args...)}
}
