// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"testing"
	"time"
)

func TestSinceAcceptsADurationOrATime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"90s":                       now.Add(-90 * time.Second),
		"1h30m":                     now.Add(-90 * time.Minute),
		"2026-11-23T09:00:00Z":      now.Add(-time.Hour),
		"2026-11-23T11:00:00+02:00": now.Add(-time.Hour),
		"2026-11-23T09:00:00.5Z":    now.Add(-time.Hour + 500*time.Millisecond),
		"0s":                        {},
		"-5m":                       {},
		"10":                        {},
		"yesterday":                 {},
		"2026-11-23":                {},
	} {
		s := since{now: func() time.Time { return now }}
		if err := s.Set(text); (err != nil) != want.IsZero() || !s.Equal(want) {
			t.Errorf("%s: %v, want %v, error %v", text, s.Time, want, err)
		}
	}
}
