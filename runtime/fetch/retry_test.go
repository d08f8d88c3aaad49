// SPDX-License-Identifier: MPL-2.0

//go:build unix

package fetch

import (
	"fmt"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestRetriesAreReported expects two Waiting calls for a failed attempt:
// before the pause with the next attempt's time, and after the pause without
// a time.
func TestRetriesAreReported(t *testing.T) {
	t.Parallel()
	s := newServer(t, 10, func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n > 1 {
			return false
		}
		w.Header().Set("Retry-After", "4")
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	f := newFetcher("")
	now := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	f.Now = func() time.Time { return now }
	var reports []string
	f.Waiting = func(reason string, next time.Time) {
		if next.IsZero() {
			reports = append(reports, reason)
			return
		}
		reports = append(reports, fmt.Sprintf("%s, %s", reason, next.Sub(now)))
	}
	if err := f.Fetch(t.Context(), want(s.URL, filepath.Join(t.TempDir(), "f"), "")); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"waits for the first byte", "the server answered 503 Service Unavailable, 4s", "the server answered 503 Service Unavailable"}, reports); diff != "" {
		t.Error(diff)
	}
}
