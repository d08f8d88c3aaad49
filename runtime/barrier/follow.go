package barrier

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

// follow reads and watches one object by name until the context ends. take is
// given every state of it. An error of take, and one that will not pass, ends
// it.
type follow struct {
	api        *API
	collection string // path of the collection
	name, what string
	// hitch is told of errors that may pass.
	hitch func(error)
	take  func(object json.RawMessage) error
	// cached permits an old state at first, which costs the server less.
	cached bool
}

func (f *follow) run(ctx context.Context) error {
	var patience patience
	for {
		err := f.once(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if final := patience.judge(err, f.api); final != nil {
			return final
		}
		if err != nil {
			f.hitch(err)
		}
		if !pause(ctx, patience.pause()) {
			return ctx.Err()
		}
	}
}

// once reads the object and watches it as long as the server lets it.
func (f *follow) once(ctx context.Context) error {
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
	if err := f.take(object); err != nil {
		return err
	}
	return f.api.watch(ctx, call{
		method: http.MethodGet, what: f.what, path: f.collection,
		query: url.Values{"fieldSelector": {"metadata.name=" + f.name}, "resourceVersion": {version}},
	}, f.event)
}

func (f *follow) event(e event) error {
	switch e.Type {
	case "ADDED", "MODIFIED":
		return f.take(e.Object)
	case "DELETED":
		return &refused{code: http.StatusNotFound, verb: "watch", what: f.what, message: "it was deleted"}
	case "ERROR":
		var status struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		}
		_ = json.Unmarshal(e.Object, &status) // what matters is that the watch is over
		if status.Code == http.StatusGone {
			return nil // the history was too short: read again
		}
		return &refused{code: status.Code, verb: "watch", what: f.what, message: status.Message}
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

// follow watches the ConfigMap of the gang.
func (m *meeting) follow(ctx context.Context) {
	f := &follow{
		api: m.API, collection: m.hostsPath(), name: m.HostsMap, what: "ConfigMap " + m.HostsMap, cached: true,
		hitch: func(err error) { report(ctx, m.hitches, hitch{ofHosts, err}) },
		take: func(text json.RawMessage) error {
			o := &hostsObject{}
			if err := json.Unmarshal(text, o); err != nil {
				return fmt.Errorf("read ConfigMap %s: %w", m.HostsMap, err)
			}
			report(ctx, m.notices, notice{object: o})
			return nil
		},
	}
	if err := f.run(ctx); ctx.Err() == nil {
		report(ctx, m.notices, notice{lost: err})
	}
}

// watchFramework watches the Framework.
func (m *meeting) watchFramework(ctx context.Context) {
	f := &follow{
		api:        m.API,
		collection: "/apis/frameworkcontroller.microsoft.com/v1/namespaces/" + url.PathEscape(m.Namespace) + "/frameworks",
		name:       m.Framework, what: "Framework " + m.Framework + " in namespace " + m.Namespace,
		hitch: func(err error) { report(ctx, m.hitches, hitch{ofFramework, err}) },
		take: func(text json.RawMessage) error {
			var o frameworkObject
			if err := json.Unmarshal(text, &o); err != nil {
				return fmt.Errorf("read Framework %s: %w", m.Framework, err)
			}
			v, err := o.look(m.Attempt)
			if err == nil {
				report(ctx, m.views, v)
			}
			return err
		},
	}
	if err := f.run(ctx); ctx.Err() == nil {
		report(ctx, m.failed, err)
	}
}
