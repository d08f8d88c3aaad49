package barrier

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/openpai/terraform-provider-openpai/runtime"
)

// backoff separates errors that pass from those that will not, and delays the
// next request.
type backoff struct {
	denied     int // answers 401 and 403 in a row
	failed     int // others
	retryAfter time.Duration
}

// deniedTries is how often a refusal is asked again: a binding that was just
// made takes a moment to be seen.
const deniedTries = 3

// next returns a *runtime.BarrierError for an error that will not pass.
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
			return permanent("the API server does not accept the token of %s for: %s %s: %s", api.Account(), r.verb, r.what, r.message)
		}
		return permanent("%s may not %s %s; a Role that permits it is missing: %s", api.Account(), r.verb, r.what, r.message)
	}
	p.failed++
	return nil
}

// delay is the time before the next request. It grows with the errors, and
// varies, so that tasks do not ask in step.
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
