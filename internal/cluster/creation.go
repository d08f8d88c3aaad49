package cluster

import (
	"context"
	"errors"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// ErrBeingCreated says that another process creates a job and has not finished
// yet.
var ErrBeingCreated = errors.New("another process is creating it")

// Creator is a cluster that remembers which jobs were submitted for a caller
// that does not have them yet, see [Submission.Creating]. A caller that keeps a
// state of its own may be killed before it wrote that: the mark tells its next
// try from a second owner.
type Creator interface {
	// HoldCreation keeps other processes from continuing the creation of a job
	// until release is called or this process ends. It fails with
	// ErrBeingCreated while another process holds it.
	HoldCreation(ctx context.Context, framework string) (release func(), err error)
	// FinishCreation removes the mark and returns the job; nil when there is
	// none.
	FinishCreation(ctx context.Context, framework string) (*planner.LiveJob, error)
}
