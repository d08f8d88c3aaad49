package fetch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/locator"
)

const (
	firstPause = time.Second
	longPause  = time.Minute
	// patience is how long a server that may answer later is asked again at
	// least, in pauses: as long as a reverse proxy takes to start.
	patience = time.Minute
	// longestWait is how long a server may ask to be left alone.
	longestWait = 10 * time.Minute
	// progressBytes renew the tries: a large download over a bad line continues
	// as long as it gets on.
	progressBytes = 1 << 20
)

// permanentError is one that another try would only repeat.
type permanentError struct{ error }

func (e permanentError) Unwrap() error { return e.error }

func permanent(err error) error { return permanentError{err} }

// restartError asks for another try at once that does not count, because what
// there was of the file could not be continued.
type restartError struct{ error }

func (e restartError) Unwrap() error { return e.error }

// withRetry calls once until it succeeds, the tries are used up or the error is
// permanent. A transient error has at least patience, unless no tries are
// wanted. reached reports how much of the file there was at most.
func (j *job) withRetry(ctx context.Context, once func() error, reached func() int64) error {
	pause, waited, high := firstPause, time.Duration(0), reached()
	for failed := 1; ; failed++ {
		err := once()
		if err == nil || ctx.Err() != nil || isPermanent(err) {
			return err
		}
		var again restartError
		if errors.As(err, &again) {
			failed--
			continue
		}
		if now := reached(); now >= high+progressBytes {
			high, failed, pause, waited = now, 1, firstPause, 0
		}
		patient := j.want.Retries > 0 && isTransient(err)
		if failed > j.want.Retries && (!patient || waited >= patience) {
			return err
		}
		wait, final := retryDelay(err, pause)
		if final != nil {
			return final
		}
		of := fmt.Sprintf(" of %d", j.want.Retries+1)
		if patient {
			of = ""
		}
		j.Log(fmt.Sprintf("%s: %v; try %d%s follows in %s", locator.Show(j.want.URL), err, failed+1, of, wait.Round(time.Millisecond)))
		waited += wait
		if err := j.Sleep(ctx, wait); err != nil {
			return err
		}
		pause = min(2*pause, longPause)
	}
}

func isPermanent(err error) bool {
	var p permanentError
	return errors.As(err, &p)
}

// retryDelay returns the pause before the next try: what the server asked for, if
// it did.
func retryDelay(err error, pause time.Duration) (time.Duration, error) {
	var status *statusError
	if !errors.As(err, &status) || status.retryAfter <= 0 {
		return pause, nil
	}
	if status.retryAfter > longestWait {
		return 0, fmt.Errorf("%w and asks to wait %s, longer than %s", err, status.retryAfter.Round(time.Second), longestWait)
	}
	return max(pause, status.retryAfter), nil
}
