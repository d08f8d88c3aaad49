package local

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// request asks for the end of a job. It is a change of the spec, but must be
// possible when the disk is full, of which the job itself may be the cause.
type request string

const (
	requestStop   request = "stop"
	requestDelete request = "delete"
)

// change makes the request part of a Framework. One that was never permitted
// to start has nothing to stop.
func (r request) change(fw *framework.Framework, now time.Time) {
	if r == requestDelete {
		fw.Metadata.DeletionTimestamp = &now
	}
	if fw.Spec.ExecutionType != framework.ExecutionCreate {
		fw.Spec.ExecutionType = framework.ExecutionStop
	}
}

func (o object) requestFile(r request) string { return o.join(string(r)) }

// ask makes a request. Without room for a new spec it leaves a second name of
// the present one, which takes none; see readRequests.
func (o object) ask(r request, now time.Time) error {
	err := o.edit(func(fw *framework.Framework) { r.change(fw, now) })
	if !noRoom(err) {
		return err
	}
	if linkErr := os.Link(o.specFile(), o.requestFile(r)); linkErr != nil && !errors.Is(linkErr, fs.ErrExist) {
		return errors.Join(err, linkErr)
	}
	return os.Chtimes(o.specFile(), now, now) // the supervisor reads it again
}

// readRequests adds the requests that had no room in the spec.
func (o object) readRequests(fw *framework.Framework) {
	for _, r := range []request{requestStop, requestDelete} {
		if info, err := os.Stat(o.requestFile(r)); err == nil {
			r.change(fw, info.ModTime())
		}
	}
}
