package store

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// A Request asks for the end of a job. It is a change of the spec, but must be
// possible when the disk is full, of which the job itself may be the cause.
type Request string

// The requests, by the names of their files.
const (
	RequestStop   Request = "stop"
	RequestDelete Request = "delete"
)

// change makes the request part of a Framework. One that was never permitted
// to start has nothing to stop.
func (r Request) change(fw *framework.Framework, now time.Time) {
	if r == RequestDelete {
		fw.Metadata.DeletionTimestamp = &now
	}
	if fw.Spec.ExecutionType != framework.ExecutionCreate {
		fw.Spec.ExecutionType = framework.ExecutionStop
	}
}

func (o Object) requestFile(r Request) string { return o.join(string(r)) }

// AddRequest makes a request. Without room for a new spec it leaves a second name of
// the present one, which takes none; see ReadRequests.
func (o Object) AddRequest(r Request, now time.Time) error {
	err := o.Edit(func(fw *framework.Framework) { r.change(fw, now) })
	var unreadable *UnreadableError
	if errors.As(err, &unreadable) {
		return WriteJSON(o.requestFile(r), struct{}{}) // the supervisor reads it instead
	}
	if !IsDiskFull(err) {
		return err
	}
	if linkErr := os.Link(o.SpecFile(), o.requestFile(r)); linkErr != nil && !errors.Is(linkErr, fs.ErrExist) {
		return errors.Join(err, linkErr)
	}
	return os.Chtimes(o.SpecFile(), now, now) // the supervisor reads it again
}

// ReadRequests adds the requests that could not be written into the spec.
func (o Object) ReadRequests(fw *framework.Framework) {
	for _, r := range []Request{RequestStop, RequestDelete} {
		if info, err := os.Stat(o.requestFile(r)); err == nil {
			r.change(fw, info.ModTime())
		}
	}
}
