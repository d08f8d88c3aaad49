// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/openpai/terraform-provider-openpai/internal/locator"
)

var errUnchanged = permanent(errors.New("unchanged"))

// accept prepares the partial file for a response body.
func (d *download) accept(r *http.Response) error {
	switch r.StatusCode {
	case http.StatusNotModified:
		if d.seen != nil {
			return errUnchanged
		}
	case http.StatusOK:
		if err := d.part.restart(); err != nil {
			return permanent(err)
		}
		return d.describe(r, r.ContentLength)
	case http.StatusPartialContent:
		return d.acceptPart(r)
	case http.StatusRequestedRangeNotSatisfiable:
		if d.part.size > 0 {
			return d.startOver("the file on the server is shorter than the partial file")
		}
	}
	return responseError(r, d.Now())
}

// acceptPart continues the partial file if the response starts where that file
// ends.
func (d *download) acceptPart(r *http.Response) error {
	var start, end, total int64
	n, err := fmt.Sscanf(r.Header.Get("Content-Range"), "bytes %d-%d/%d", &start, &end, &total)
	switch {
	case n < 2: // the total size may be "*"
		return permanent(fmt.Errorf("the server sent a partial response without a valid Content-Range: %w", err))
	case start != d.part.size:
		return d.startOver("the server sent a different range than requested")
	case n < 3:
		total = d.part.state.Total
	case d.part.state.Total >= 0 && total != d.part.state.Total:
		return d.startOver("its size has changed")
	}
	return d.describe(r, total)
}

// startOver discards the partial file and returns an error that restarts the
// download. If the partial file is empty, the error is permanent.
func (d *download) startOver(why string) error {
	if d.part.size == 0 {
		return permanent(errors.New(why))
	}
	if err := d.part.restart(); err != nil {
		return permanent(err)
	}
	return restartError{errors.New(why)}
}

func (d *download) describe(r *http.Response, total int64) error {
	d.last = origin{ETag: r.Header.Get("ETag"), LastModified: r.Header.Get("Last-Modified"), Date: r.Header.Get("Date")}
	if err := d.part.describe(state{Address: locator.Show(d.want.URL), Validator: strongValidator(r.Header), Total: total}); err != nil {
		return permanent(err)
	}
	return nil
}
