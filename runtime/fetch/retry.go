// SPDX-License-Identifier: MPL-2.0

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
	// patience is the minimum time for which withRetry retries transient
	// errors. A reverse proxy can take this long to start.
	patience = time.Minute
	// longestWait is the maximum Retry-After value that retryDelay honors.
	longestWait = 10 * time.Minute
	// progressBytes is the progress, in bytes, that resets the attempt count. A
	// large download over a bad connection continues as long as it makes progress.
	progressBytes = 1 << 20
)

// permanentError is an error that would occur again in a later attempt.
type permanentError struct{ error }

func (e permanentError) Unwrap() error { return e.error }

func permanent(err error) error { return permanentError{err} }

// restartError requests an immediate download from the start. The failed
// attempt does not count against the retries.
type restartError struct{ error }

func (e restartError) Unwrap() error { return e.error }

// withRetry repeats a download attempt until the attempt succeeds or must not
// be retried. It does not retry permanent errors or a full disk. If retries
// are enabled, it retries transient errors for at least a minute (patience),
// even after the maximum number of attempts. The function reached returns the
// largest size of the file so far.
func (j *job) withRetry(ctx context.Context, once func() error, reached func() int64) error {
	pause, waited, high := firstPause, time.Duration(0), reached()
	for failed := 1; ; failed++ {
		err := once()
		if err == nil || ctx.Err() != nil || isPermanent(err) || FailureOf(err) == FailureNoSpace {
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
		j.Log(fmt.Sprintf("%s: %v; attempt %d%s follows in %s", locator.Show(j.want.URL), err, failed+1, of, wait.Round(time.Millisecond)))
		waited += wait
		j.Waiting(err.Error(), j.Now().Add(wait))
		if err := j.Sleep(ctx, wait); err != nil {
			return err
		}
		j.Waiting(err.Error(), time.Time{})
		pause = min(2*pause, longPause)
	}
}

func isPermanent(err error) bool {
	var p permanentError
	return errors.As(err, &p)
}

// retryDelay returns the longer of pause and the server's Retry-After time.
// It fails if that time exceeds longestWait.
func retryDelay(err error, pause time.Duration) (time.Duration, error) {
	var status *statusError
	if !errors.As(err, &status) || status.retryAfter <= 0 {
		return pause, nil
	}
	if status.retryAfter > longestWait {
		return 0, fmt.Errorf("%w: the requested wait of %s exceeds the maximum of %s", err, status.retryAfter.Round(time.Second), longestWait)
	}
	return max(pause, status.retryAfter), nil
}
