package kubernetes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// fieldManager is the name under which everything is written.
const fieldManager = "openpai"

// The content types of requests.
const (
	typeJSON      = "application/json"
	typeApply     = "application/apply-patch+yaml" // JSON is YAML
	typeJSONPatch = "application/json-patch+json"
	typeMerge     = "application/merge-patch+json"
	// metadataOnly asks for the metadata of an object, or of each of a list.
	metadataOnly     = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
	metadataOnlyList = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
)

// maxResponse bounds what is read of one answer: a page of large objects.
const maxResponse = 1 << 30

// client talks to one API server. It repeats what may succeed later and keeps
// the number of requests under way to what the server bears.
type client struct {
	http     *http.Client
	host     *url.URL
	pace     *pace
	timeouts timeouts
	answered atomic.Bool // whether the server answered anything yet
}

// request is one request. Every one that this package makes may be sent again.
type request struct {
	method      string
	path        string
	query       url.Values
	contentType string
	accept      string
	body        any // marshalled as JSON; nil: none
	// what names the operation and object in errors.
	what string
}

// do sends a request, repeats it as needed, and decodes the answer into out,
// which may be nil. What the server refuses is an *apierrors.StatusError.
func (c *client) do(ctx context.Context, r request, out any) error {
	var body []byte
	if r.body != nil {
		var err error
		if body, err = json.Marshal(r.body); err != nil {
			panic("kubernetes: " + err.Error()) // our own types always marshal
		}
	}
	wait := newBackoff(c.timeouts)
	for {
		answer, err := c.once(ctx, r, body)
		if err == nil {
			return decode(r, answer, out)
		}
		pause, again := wait.next(err)
		switch {
		case ctx.Err() != nil:
			return interrupted(r.what, err)
		case !again, c.silent(err) && wait.tried >= silentTries:
			return explain(r.what, err)
		}
		select {
		case <-ctx.Done():
			return interrupted(r.what, err)
		case <-time.After(pause):
		}
	}
}

// silent reports whether the server let the time pass, as with every request
// before.
func (c *client) silent(err error) bool { return isTimeout(err) && !c.answered.Load() }

func decode(r request, answer []byte, out any) error {
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%s: the answer of the API server cannot be read: %w", r.what, err)
	}
	return nil
}

// once sends a request one time, within the time limit of a request.
func (c *client) once(ctx context.Context, r request, body []byte) ([]byte, error) {
	release, err := c.pace.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeouts.request, errNoAnswer)
	defer cancel()
	res, err := c.send(ctx, r, body)
	if err != nil {
		return nil, cause(ctx, err)
	}
	defer res.Body.Close()
	c.answered.Store(true)
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxResponse))
	if err != nil {
		return nil, cause(ctx, err)
	}
	if res.StatusCode >= http.StatusBadRequest {
		err := statusError(res, answer)
		c.pace.refused(err)
		return nil, err
	}
	c.pace.answered()
	return answer, nil
}

func (c *client) send(ctx context.Context, r request, body []byte) (*http.Response, error) {
	u := *c.host
	u.Path = strings.TrimSuffix(u.Path, "/") + r.path
	u.RawQuery = r.query.Encode()
	req, err := http.NewRequestWithContext(ctx, r.method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body == nil {
		req.Body, req.ContentLength = nil, 0
	}
	if r.contentType != "" {
		req.Header.Set("Content-Type", r.contentType)
	}
	req.Header.Set("Accept", typeJSON)
	if r.accept != "" {
		req.Header.Set("Accept", r.accept)
	}
	return c.http.Do(req)
}

// stream opens an answer that goes on, such as a log that is followed. The
// caller closes it. No time is limited: the log of a silent task begins with
// its first line.
func (c *client) stream(ctx context.Context, r request) (io.ReadCloser, error) {
	res, err := c.send(ctx, r, nil)
	if err != nil {
		return nil, explain(r.what, err)
	}
	if res.StatusCode >= http.StatusBadRequest {
		defer res.Body.Close()
		answer, _ := io.ReadAll(io.LimitReader(res.Body, 1<<20))
		return nil, explain(r.what, statusError(res, answer))
	}
	return res.Body, nil
}
