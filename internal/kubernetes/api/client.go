// SPDX-License-Identifier: MPL-2.0

package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/rest"
)

// FieldManager is the field manager in all write requests.
const FieldManager = "openpai"

// Content types of requests.
const (
	TypeJSON      = "application/json"
	TypeApply     = "application/apply-patch+yaml" // JSON is valid YAML
	TypeJSONPatch = "application/json-patch+json"
	TypeMerge     = "application/merge-patch+json"
	// MetadataOnly and MetadataOnlyList are Accept headers for the metadata
	// of an object or a list.
	MetadataOnly     = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
	MetadataOnlyList = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
)

// maxResponse is the maximum size of a response in bytes. Even a page of large
// objects is smaller.
const maxResponse = 1 << 30

// Client sends requests to one API server. It retries requests that may succeed
// later. It adapts the number of concurrent requests to the server load.
type Client struct {
	http      *http.Client
	host      *url.URL
	config    *rest.Config // for upgraded connections
	namespace string
	limiter   *limiter
	answered  atomic.Bool // whether the server has responded to any request

	// Timeouts and PageSize (objects per page of a list) can be changed
	// before the first request.
	Timeouts Timeouts
	PageSize int
}

// New returns a client for the API server at host. Requests for namespaced
// objects use the given namespace.
func New(h *http.Client, host *url.URL, namespace string, t Timeouts) *Client {
	return &Client{http: h, host: host, namespace: namespace, PageSize: 500, limiter: newLimiter(), Timeouts: t}
}

// Namespace returns the namespace that requests for namespaced objects use.
func (c *Client) Namespace() string { return c.namespace }

// Server returns the URL of the API server.
func (c *Client) Server() string { return strings.TrimSuffix(c.host.String(), "/") }

// Request is a single request. The request must be safe to retry.
type Request struct {
	Method      string
	Path        string
	Query       url.Values
	ContentType string
	Accept      string
	Body        any // marshaled as JSON; nil: no body
	// What describes the operation and its object in error messages, for
	// example "read Pod NAME".
	What string
}

// Do sends a request, retries the request after temporary failures, and
// decodes the response into out. out may be nil. If the server rejects the
// request, the error wraps an *apierrors.StatusError.
func (c *Client) Do(ctx context.Context, r Request, out any) error {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = json.Marshal(r.Body); err != nil {
			panic("kubernetes: " + err.Error()) // our own types can always be marshaled
		}
	}
	wait := newBackoff(c.Timeouts)
	for {
		answer, err := c.once(ctx, r, body)
		if err == nil {
			return decode(r, answer, out)
		}
		pause, again := wait.next(err)
		switch {
		case ctx.Err() != nil:
			return canceled(r.What, err)
		case !again, c.unresponsive(err) && wait.tried >= triesBeforeContact:
			return explain(r.What, err)
		}
		select {
		case <-ctx.Done():
			return canceled(r.What, err)
		case <-time.After(pause):
		}
	}
}

// unresponsive reports whether a request timed out and the server has never
// responded.
func (c *Client) unresponsive(err error) bool { return isTimeout(err) && !c.answered.Load() }

func decode(r Request, answer []byte, out any) error {
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%s: cannot decode the response from the API server: %w", r.What, err)
	}
	return nil
}

// once sends a request within the request timeout, without retries.
func (c *Client) once(ctx context.Context, r Request, body []byte) ([]byte, error) {
	release, err := c.limiter.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	ctx, cancel := context.WithTimeoutCause(ctx, c.Timeouts.Request, errNoAnswer)
	defer cancel()
	res, err := c.send(ctx, r, body)
	if err != nil {
		return nil, timeoutCause(ctx, err)
	}
	defer res.Body.Close()
	c.answered.Store(true)
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxResponse))
	if err != nil {
		return nil, timeoutCause(ctx, err)
	}
	if res.StatusCode >= http.StatusBadRequest {
		err := statusError(res, answer)
		c.limiter.refused(err)
		return nil, err
	}
	c.limiter.answered()
	return answer, nil
}

func (c *Client) send(ctx context.Context, r Request, body []byte) (*http.Response, error) {
	u := *c.host
	u.Path = strings.TrimSuffix(u.Path, "/") + r.Path
	u.RawQuery = r.Query.Encode()
	req, err := http.NewRequestWithContext(ctx, r.Method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body == nil {
		req.Body, req.ContentLength = nil, 0
	}
	if r.ContentType != "" {
		req.Header.Set("Content-Type", r.ContentType)
	}
	req.Header.Set("Accept", TypeJSON)
	if r.Accept != "" {
		req.Header.Set("Accept", r.Accept)
	}
	return c.http.Do(req)
}

// Stream opens a streaming response, such as a log that is still growing. The
// caller must close the response. Stream has no timeout, because a task may
// print its first line late.
func (c *Client) Stream(ctx context.Context, r Request) (io.ReadCloser, error) {
	res, err := c.send(ctx, r, nil)
	if err != nil {
		return nil, explain(r.What, err)
	}
	if res.StatusCode >= http.StatusBadRequest {
		defer res.Body.Close()
		answer, _ := io.ReadAll(io.LimitReader(res.Body, 1<<20))
		return nil, explain(r.What, statusError(res, answer))
	}
	return res.Body, nil
}

// Parallel runs functions concurrently. It returns the first error in the order
// of the functions.
func Parallel(work []func() error) error {
	if len(work) == 1 {
		return work[0]()
	}
	errs := make([]error, len(work))
	var running sync.WaitGroup
	for i, f := range work {
		running.Go(func() { errs[i] = f() })
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
