// SPDX-License-Identifier: MPL-2.0

package api

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
)

// clientOf returns a client for a test server with the given handler.
func clientOf(t *testing.T, answer http.HandlerFunc) *Client {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	host, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return New(server.Client(), host, "default", DefaultTimeouts)
}

func TestASilentServerGetsTwoRequestsUnlessItHasResponded(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answers, want int32
	}{
		"it never answered":      {answers: 0, want: 2},
		"it has answered before": {answers: 1, want: 1 + 6},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			c := clientOf(t, func(w http.ResponseWriter, r *http.Request) {
				if asked.Add(1) <= tt.answers {
					fmt.Fprint(w, "{}")
					return
				}
				<-r.Context().Done()
			})
			c.Timeouts = Timeouts{Request: time.Minute, Attempts: 6, First: time.Millisecond, Last: time.Millisecond}
			for range tt.answers {
				if err := c.Get(t.Context(), Leases, "x", nil); err != nil {
					t.Fatal(err)
				}
			}
			c.Timeouts.Request = time.Second // time within which each request must reach the server
			err := c.Get(t.Context(), Leases, "x", nil)
			if got := asked.Load(); got != tt.want || !errors.Is(err, errNoAnswer) || !strings.Contains(err.Error(), "network") {
				t.Errorf("%d requests, want %d: %v", got, tt.want, err)
			}
		})
	}
}

// TestAFailedCredentialPluginRunsOnlyOnce checks that the plugin runs only once, because
// it may prompt the user.
func TestAFailedCredentialPluginRunsOnlyOnce(t *testing.T) {
	dir := t.TempDir()
	plugin, runs, config := filepath.Join(dir, "plugin"), filepath.Join(dir, "runs"), filepath.Join(dir, "config")
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: c, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: %q, interactiveMode: Never}}}]
contexts: [{name: c, context: {cluster: c, user: c}}]
current-context: c
`, plugin)
	if err := errors.Join(os.WriteFile(config, []byte(text), 0o600), os.WriteFile(plugin, []byte("#!/bin/sh\necho run >> "+runs+"\nexit 3\n"), 0o700)); err != nil {
		t.Fatal(err)
	}
	c, err := Connect(&hclspec.Cluster{Name: "gpu", Kubeconfig: config, Namespace: "vision"}, Timeouts{Request: time.Minute, Attempts: 6, First: time.Millisecond, Last: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Get(t.Context(), Leases, "x", nil); err == nil || !strings.Contains(err.Error(), "exit code 3. The credential plugin failed; log in again") {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(runs); err != nil || string(text) != "run\n" {
		t.Errorf("the plugin ran %q, %v", text, err)
	}
}

// An error from the environment must contain the operation, the cause and a
// solution.
func TestAnErrorHasTheOperationTheCauseAndAdvice(t *testing.T) {
	t.Parallel()
	status := func(code int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			fmt.Fprint(w, text)
		}
	}
	tests := map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"a namespace that does not exist": {status(404, `{"kind":"Status","code":404,"reason":"NotFound","message":"namespaces \"vision\" not found","details":{"name":"vision","kind":"namespaces"}}`),
			`list objects of kind Framework: namespaces "vision" not found. Create the namespace, or set another namespace in the cluster block`},
		"a kind that does not exist": {status(404, "404 page not found\n"),
			`list objects of kind Framework: 404 Not Found 404 page not found. The cluster does not support objects of this kind; "openpai cluster check" lists the missing requirements`},
		"an expired credential": {status(401, `{"kind":"Status","code":401,"reason":"Unauthorized","message":"Unauthorized"}`),
			"list objects of kind Framework: Unauthorized. The API server rejected the credential; log in again, or renew the credential"},
		"no permission": {status(403, `{"kind":"Status","code":403,"reason":"Forbidden","message":"frameworks is forbidden"}`),
			`list objects of kind Framework: frameworks is forbidden. Ask an administrator for this permission; "openpai cluster check" lists all requirements`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := clientOf(t, tt.answer)
			if _, err := List[Header](t.Context(), c, Frameworks, nil, MetadataOnlyList, 0); err == nil || phrase.Error(err) != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}
