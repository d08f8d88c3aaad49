// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

// follower reads and watches one object by name until the context ends, onObject
// returns an error, or a request fails permanently. It calls onObject with every
// state of the object.
type follower struct {
	api        *API
	collection string // path of the collection
	name, what string
	// onError receives errors that may be transient.
	onError  func(error)
	onObject func(object json.RawMessage) error
	// cached permits the server to return the first state from its cache. That
	// state may be stale.
	cached bool
}

func (f *follower) run(ctx context.Context) error {
	var retry backoff
	for {
		err := f.readAndWatch(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if final := retry.next(err, f.api); final != nil {
			return final
		}
		if err != nil {
			f.onError(err)
		}
		if !sleep(ctx, retry.delay()) {
			return ctx.Err()
		}
	}
}

// readAndWatch reads the object, and watches it until the server ends the watch.
func (f *follower) readAndWatch(ctx context.Context) error {
	read := call{method: http.MethodGet, verb: "get", what: f.what, path: f.collection + "/" + url.PathEscape(f.name)}
	if f.cached {
		read.query = url.Values{"resourceVersion": {"0"}}
	}
	var object json.RawMessage
	if err := f.api.get(ctx, read, &object); err != nil {
		return err
	}
	version, err := versionOf(object)
	if err != nil {
		return err
	}
	if err := f.onObject(object); err != nil {
		return err
	}
	return f.api.watch(ctx, call{
		method: http.MethodGet, what: f.what, path: f.collection,
		query: url.Values{"fieldSelector": {"metadata.name=" + f.name}, "resourceVersion": {version}},
	}, f.handle)
}

func (f *follower) handle(e event) error {
	switch e.Type {
	case "ADDED", "MODIFIED":
		return f.onObject(e.Object)
	case "DELETED":
		return &statusError{code: http.StatusNotFound, verb: "watch", what: f.what, message: "it was deleted"}
	case "ERROR":
		var status struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		}
		_ = json.Unmarshal(e.Object, &status) // the watch ends even if the status cannot be decoded
		if status.Code == http.StatusGone {
			return nil // the resource version is too old; the caller reads the object again
		}
		return &statusError{code: status.Code, verb: "watch", what: f.what, message: status.Message}
	}
	return nil
}

func versionOf(object json.RawMessage) (string, error) {
	var o struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(object, &o); err != nil {
		return "", fmt.Errorf("read the version of an object: %w", err)
	}
	return o.Metadata.ResourceVersion, nil
}

// watchHosts watches the ConfigMap of the gang.
func (m *rendezvous) watchHosts(ctx context.Context) {
	f := &follower{
		api: m.API, collection: m.hostsPath(), name: m.HostsMap, what: "ConfigMap " + m.HostsMap, cached: true,
		onError: func(err error) { send(ctx, m.requestErrors, requestError{ofHosts, err}) },
		onObject: func(text json.RawMessage) error {
			o := &hostsObject{}
			if err := json.Unmarshal(text, o); err != nil {
				return fmt.Errorf("read ConfigMap %s: %w", m.HostsMap, err)
			}
			send(ctx, m.updates, hostsUpdate{object: o})
			return nil
		},
	}
	if err := f.run(ctx); ctx.Err() == nil {
		send(ctx, m.updates, hostsUpdate{err: err})
	}
}

// watchFramework watches the Framework.
func (m *rendezvous) watchFramework(ctx context.Context) {
	f := &follower{
		api:        m.API,
		collection: "/apis/frameworkcontroller.microsoft.com/v1/namespaces/" + url.PathEscape(m.Namespace) + "/frameworks",
		name:       m.Framework, what: "Framework " + m.Framework + " in namespace " + m.Namespace,
		onError: func(err error) { send(ctx, m.requestErrors, requestError{ofFramework, err}) },
		onObject: func(text json.RawMessage) error {
			var o frameworkObject
			if err := json.Unmarshal(text, &o); err != nil {
				return fmt.Errorf("read Framework %s: %w", m.Framework, err)
			}
			v, err := o.snapshot(m.Attempt)
			if err == nil {
				send(ctx, m.snapshots, v)
			}
			return err
		},
	}
	if err := f.run(ctx); ctx.Err() == nil {
		send(ctx, m.failed, err)
	}
}
