// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"errors"
	"time"

	"github.com/spf13/pflag"
)

// since is a flag value for a past time: a time, or a duration before now.
type since struct {
	time.Time
	text string
	now  func() time.Time
}

var _ pflag.Value = (*since)(nil)

// String implements pflag.Value.
func (s *since) String() string { return s.text }

// Set implements pflag.Value.
func (s *since) Set(text string) error {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		s.Time, s.text = at, text
		return nil
	}
	ago, err := time.ParseDuration(text)
	if err != nil || ago <= 0 {
		return errors.New("must be a positive duration or an RFC 3339 time")
	}
	s.Time, s.text = s.now().Add(-ago), text
	return nil
}

// Type implements pflag.Value.
func (s *since) Type() string { return "time" }
