// SPDX-License-Identifier: MPL-2.0

package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// watchDuration is the duration of one watch request.
const watchDuration = 5 * time.Minute

// Watcher receives the objects that Watch reads. Watch does not call its
// functions concurrently.
type Watcher[T any] struct {
	// Listed receives all objects at the start, and again whenever Watch has
	// missed changes.
	Listed func([]T)
	// Changed receives the current object, or the last version of a deleted
	// object.
	Changed func(o T, deleted bool)
}

// Watch lists the objects that the query selects and then reports every change. It
// resumes after a connection error. It returns nil when the context ends.
func Watch[T any](ctx context.Context, c *Client, k Resource, query url.Values, to Watcher[T]) error {
	for ctx.Err() == nil {
		version, err := list(ctx, c, k, query, to)
		pause := c.Timeouts.First
		for err == nil {
			version, err = watch(ctx, c, k, query, version, to)
			if errors.Is(err, errWatchEnded) {
				err = sleep(ctx, pause)
			}
		}
		switch {
		case ctx.Err() != nil:
		case apierrors.IsResourceExpired(err), apierrors.IsGone(err):
		case !retryable(err):
			return err
		default:
			_ = sleep(ctx, c.Timeouts.Last)
		}
	}
	return nil
}

// errWatchEnded reports the end of a response. Watch then sends the next request.
var errWatchEnded = errors.New("the API server ended the watch")

func list[T any](ctx context.Context, c *Client, k Resource, query url.Values, to Watcher[T]) (version string, err error) {
	var all struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
		Items []T `json:"items"`
	}
	err = c.Do(ctx, Request{Method: http.MethodGet, Path: k.Path(c.namespace, ""), Query: query, What: "list objects of kind " + k.Kind}, &all)
	if err == nil {
		to.Listed(all.Items)
	}
	return all.Metadata.ResourceVersion, err
}

// watch sends one request for the changes after a version. It returns the
// version from which the next request resumes.
func watch[T any](ctx context.Context, c *Client, k Resource, query url.Values, version string, to Watcher[T]) (string, error) {
	q := maps.Clone(query)
	if q == nil {
		q = url.Values{}
	}
	q.Set("watch", "true")
	q.Set("resourceVersion", version)
	q.Set("allowWatchBookmarks", "true")
	q.Set("timeoutSeconds", strconv.Itoa(int(watchDuration.Seconds())))
	body, err := c.Stream(ctx, Request{Method: http.MethodGet, Path: k.Path(c.namespace, ""), Query: q, What: "watch objects of kind " + k.Kind})
	if err != nil {
		return version, err
	}
	defer body.Close()
	return readEvents(json.NewDecoder(body), version, to)
}

func readEvents[T any](events *json.Decoder, version string, to Watcher[T]) (string, error) {
	for {
		var e struct {
			Type   string          `json:"type"`
			Object json.RawMessage `json:"object"`
		}
		if err := events.Decode(&e); err != nil {
			return version, errWatchEnded
		}
		if e.Type == "ERROR" {
			var s metav1.Status
			if err := json.Unmarshal(e.Object, &s); err != nil {
				return version, fmt.Errorf("read a watch: %w", io.ErrUnexpectedEOF)
			}
			return version, &apierrors.StatusError{ErrStatus: s}
		}
		var h Header
		var o T
		if err := errors.Join(json.Unmarshal(e.Object, &h), json.Unmarshal(e.Object, &o)); err != nil {
			return version, fmt.Errorf("read a watch: %w", err)
		}
		version = h.Metadata.ResourceVersion
		if e.Type != "BOOKMARK" {
			to.Changed(o, e.Type == "DELETED")
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
