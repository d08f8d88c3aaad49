package cluster

import (
	"errors"
	"fmt"
)

// ErrNotFound says that a cluster knows nothing of a job or task.
var ErrNotFound = errors.New("not found")

// ErrStalled says that nothing will become of a job by itself, since the
// command that submitted or deleted it was killed.
var ErrStalled = errors.New("the command that worked on it was killed")

// stalled returns the error of a job that stands still, or nil.
func stalled(s *Status) error {
	if s.Stalled == "" {
		return nil
	}
	return fmt.Errorf("%w: %s", ErrStalled, s.Stalled)
}
