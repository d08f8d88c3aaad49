// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/redirect"
)

// ask requests the rest of the file, or the whole file if resuming is not
// possible.
func (d *download) ask(ctx context.Context) (*http.Response, error) {
	if d.sum != "" {
		ctx = context.WithValue(ctx, digested{}, true)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.address.URL.String(), nil)
	if err != nil {
		cancel(nil)
		return nil, permanent(errors.New("the URL is not valid; check its spelling"))
	}
	d.headers(request.Header)
	response, err := d.client.Do(request)
	if err != nil {
		cancel(nil)
		return nil, d.unreachable(unwrapURLError(err))
	}
	response.Body = newTimeoutReader(ctx, cancel, response.Body, d.Silence)
	return response, nil
}

// headers requests only the missing bytes if a validator or the digest check can
// detect changed content.
func (d *download) headers(h http.Header) {
	h.Set("User-Agent", "openpai-runtime")
	h.Set("Accept-Encoding", "identity")
	if d.want.Auth != "" {
		h.Set("Authorization", d.want.Auth)
	}
	validator := d.part.state.Validator
	if d.part.size > 0 && (validator != "" || d.sum != "") {
		h.Set("Range", fmt.Sprintf("bytes=%d-", d.part.size))
		if validator != "" {
			h.Set("If-Range", validator)
		}
		return
	}
	if d.seen == nil || d.seen.object(d.store) == nil {
		d.seen = nil
		return
	}
	switch {
	case d.seen.ETag != "":
		h.Set("If-None-Match", d.seen.ETag)
	case changedBefore(d.seen.LastModified, d.seen.Date):
		h.Set("If-Modified-Since", d.seen.LastModified)
	}
}

// hasValidator reports whether a request can check for changed content. A git
// commit never changes.
func (o *origin) hasValidator() bool {
	return o.Commit != "" || o.ETag != "" || changedBefore(o.LastModified, o.Date)
}

// object returns nil if the cached object no longer exists.
func (o *origin) object(s *store) *object {
	found := &object{s, o.Sum}
	if _, err := os.Stat(found.name()); err != nil {
		return nil
	}
	return found
}

// unreachable returns the error for a request without a response. The error is
// permanent if a retry would fail in the same way.
func (d *download) unreachable(err error) error {
	var scheme *schemeError
	switch {
	case errors.Is(err, errUnsafeRedirect), errors.Is(err, redirect.ErrTooMany), errors.As(err, &scheme):
		return permanent(&sourceError{err})
	case isHeaderLimit(err):
		return permanent(&sourceError{fmt.Errorf("the response headers exceed 1 MiB: %w", err)})
	}
	return &sourceError{fmt.Errorf("the server cannot be reached: %w", err)}
}

// isHeaderLimit reports whether the headers are larger than maxHeaderBytes. It
// recognizes the errors of HTTP/1 and HTTP/2 by their text, because these errors
// have no type.
func isHeaderLimit(err error) bool {
	return strings.Contains(err.Error(), "response headers exceeded") || strings.Contains(err.Error(), "response header list larger")
}

// strongValidator returns a value that identifies the exact bytes: a strong ETag,
// or a modification date that satisfies [changedBefore].
func strongValidator(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		return tag
	}
	if changed := h.Get("Last-Modified"); changedBefore(changed, h.Get("Date")) {
		return changed
	}
	return ""
}

// changedBefore reports whether the modification date is at least one second
// before the response date. Otherwise, the content can change again without a new
// date: HTTP dates have a resolution of one second (RFC 9110, section 8.8.2.2).
func changedBefore(modified, response string) bool {
	changed, err := http.ParseTime(modified)
	answered, err2 := http.ParseTime(response)
	return err == nil && err2 == nil && answered.Sub(changed) >= time.Second
}

// timeoutReader is a response body whose Read fails if the server stops
// sending data.
type timeoutReader struct {
	io.ReadCloser
	ctx     context.Context
	cancel  context.CancelCauseFunc
	timer   *time.Timer
	silence time.Duration
}

func newTimeoutReader(ctx context.Context, cancel context.CancelCauseFunc, body io.ReadCloser, silence time.Duration) *timeoutReader {
	w := &timeoutReader{ReadCloser: body, ctx: ctx, cancel: cancel, silence: silence}
	w.timer = time.AfterFunc(silence, func() { cancel(&silenceError{fmt.Sprintf("the server did not send data for %s", silence)}) })
	return w
}

// Read returns the cancellation cause if the request was canceled.
func (w *timeoutReader) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	w.timer.Reset(w.silence)
	if err != nil && !errors.Is(err, io.EOF) && w.ctx.Err() != nil {
		err = context.Cause(w.ctx)
	}
	return n, err
}

// Close closes the body and cancels the request.
func (w *timeoutReader) Close() error {
	w.timer.Stop()
	err := w.ReadCloser.Close()
	w.cancel(nil)
	return err
}
