// SPDX-License-Identifier: MPL-2.0

package store

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/framework"
)

// A Request is a request to end a job. It changes the spec. It must also work on a
// full disk, because the job itself may have filled the disk.
type Request string

// The requests. The value of a Request is its file name.
const (
	RequestStop   Request = "stop"
	RequestDelete Request = "delete"
)

// change applies the request to a Framework. A stop does not change a Framework
// that was never permitted to start.
func (r Request) change(fw *framework.Framework, now time.Time) {
	if r == RequestDelete {
		fw.Metadata.DeletionTimestamp = &now
	}
	if fw.Spec.ExecutionType != framework.ExecutionCreate {
		fw.Spec.ExecutionType = framework.ExecutionStop
	}
}

func (o Object) requestFile(r Request) string { return o.join(string(r)) }

// AddRequest adds a request. On a full disk, AddRequest creates a hard link to
// the current spec: a link does not need space. ReadRequests reads the request
// from this link.
func (o Object) AddRequest(r Request, now time.Time) error {
	err := o.Edit(func(fw *framework.Framework) { r.change(fw, now) })
	var unreadable *UnreadableError
	if errors.As(err, &unreadable) {
		return WriteJSON(o.requestFile(r), struct{}{}) // the supervisor reads this file instead
	}
	if !IsDiskFull(err) {
		return err
	}
	if linkErr := os.Link(o.SpecFile(), o.requestFile(r)); linkErr != nil && !errors.Is(linkErr, fs.ErrExist) {
		return errors.Join(err, linkErr)
	}
	return os.Chtimes(o.SpecFile(), now, now) // makes the supervisor read the spec again
}

// ReadRequests reads the requests that commands could not write to the
// Framework's spec, and applies the requests to fw.
func (o Object) ReadRequests(fw *framework.Framework) {
	for _, r := range []Request{RequestStop, RequestDelete} {
		if info, err := os.Stat(o.requestFile(r)); err == nil {
			r.change(fw, info.ModTime())
		}
	}
}
