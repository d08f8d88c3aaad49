// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// answers is an http.RoundTripper that returns the same body in every
// response.
type answers []byte

func (a answers) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(a))}, nil
}

// FuzzWatch checks two properties for any server response: the follower
// returns, and onObject receives only valid JSON.
func FuzzWatch(f *testing.F) {
	f.Add([]byte(`{"metadata":{"resourceVersion":"1"}}`))
	f.Add([]byte(`{"type":"ADDED","object":{"metadata":{}}}{"type":"ERROR","object":{"code":410}}`))
	f.Add([]byte(`{"type":"ERROR","object":{"code":500,"message":"x"}}`))
	f.Add([]byte(`{"type":"DELETED"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		w := &follower{
			api: &API{Server: "https://api.example.org", Client: &http.Client{Transport: answers(body)}}, name: "x", what: "object x",
			onError: func(error) {},
			onObject: func(object json.RawMessage) error {
				if len(object) > 0 && !json.Valid(object) {
					t.Errorf("%q is passed on", object)
				}
				return nil
			},
		}
		_ = w.readAndWatch(context.Background())
		_ = w.api.watch(context.Background(), call{method: http.MethodGet, query: map[string][]string{}}, w.handle)
	})
}

// FuzzSnapshot checks that a snapshot of a valid Framework contains each
// declared task, either as present or as missing.
func FuzzSnapshot(f *testing.F) {
	f.Add([]byte(`{"spec":{"taskRoles":[{"name":"a","taskNumber":2}]},"status":{"attemptStatus":{"instanceUID":"u","taskRoleStatuses":[{"name":"a","taskStatuses":[{"index":0,"attemptStatus":{"podUID":"p","podIP":"10.0.0.1"}}]}]}}}`))
	f.Add([]byte(`{"spec":{"taskRoles":[{"name":"a","taskNumber":2000000000}]}}`))
	f.Add([]byte(`{"status":{"attemptStatus":{"taskRoleStatusesCompressed":"H4sI"}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var o frameworkObject
		if json.Unmarshal(text, &o) != nil {
			return
		}
		s, err := o.snapshot("")
		if err != nil {
			return
		}
		present := 0
		for _, r := range s.table.Roles {
			present += len(r.Members)
		}
		if present+len(s.missing) != s.total {
			t.Errorf("%d present, %d missing of %d", present, len(s.missing), s.total)
		}
	})
}

// FuzzKubeconfig checks that, for any file, kubeconfig returns either an error or
// an API with a client.
func FuzzKubeconfig(f *testing.F) {
	f.Add([]byte("current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u}}]\nclusters: [{name: k, cluster: {server: \"https://x\"}}]\nusers: [{name: u, user: {token: t}}]\n"))
	f.Add([]byte("clusters: [{cluster: {certificate-authority-data: AAAA}}]"))
	f.Add([]byte("a: &a [*a]"))
	name := filepath.Join(f.TempDir(), "config")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if api, err := kubeconfig(name); err == nil && (api == nil || api.Client == nil) {
			t.Error("kubeconfig returned an API without a client")
		}
	})
}
