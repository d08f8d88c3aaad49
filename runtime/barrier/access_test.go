// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
)

// Access reads the address of the API server from the same variables as the
// original barrier.
func TestTheAccessOfTheBarrierIsThatOfOpenPAI(t *testing.T) {
	t.Parallel()
	var seen string
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Get("Authorization")
		_, _ = w.Write([]byte("{}"))
	}))
	t.Cleanup(s.Close)
	plain := httptest.NewServer(s.Config.Handler)
	t.Cleanup(plain.Close)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	address, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	account := filepath.Dir(write("token", "account-token\n"))
	if err := os.WriteFile(filepath.Join(account, "ca.crt"), authority, 0o600); err != nil {
		t.Fatal(err)
	}
	config := func(user string) string {
		return write("config", fmt.Sprintf(`apiVersion: v1
current-context: here
contexts: [{name: other, context: {cluster: none}}, {name: here, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: %q, certificate-authority-data: %s}}]
users: [{name: u, user: %s}]
`, s.URL, base64.StdEncoding.EncodeToString(authority), user))
	}
	for name, c := range map[string]struct {
		env    map[string]string
		tokens string
		want   string
	}{
		"a service account":       {map[string]string{"KUBERNETES_SERVICE_HOST": address.Hostname(), "KUBERNETES_SERVICE_PORT": address.Port()}, account, "Bearer account-token"},
		"KUBECONFIG with a token": {map[string]string{"KUBECONFIG": config("{token: t1}")}, "none", "Bearer t1"},
		"KUBECONFIG with a file":  {map[string]string{"KUBECONFIG": config("{tokenFile: " + write("t", "t2") + "}")}, "none", "Bearer t2"},
		"KUBE_APISERVER_ADDRESS":  {map[string]string{"KUBE_APISERVER_ADDRESS": plain.URL}, "none", ""},
		"KUBERNETES_SERVICE_HOST in addition to KUBE_APISERVER_ADDRESS": {map[string]string{"KUBE_APISERVER_ADDRESS": plain.URL, "KUBERNETES_SERVICE_HOST": address.Hostname(), "KUBERNETES_SERVICE_PORT": address.Port()}, account, "Bearer account-token"},
		"KUBE_APISERVER_ADDRESS with a service account token":           {map[string]string{"KUBE_APISERVER_ADDRESS": s.URL}, account, "Bearer account-token"},
	} {
		api, err := Access(func(name string) string { return c.env[name] }, c.tokens)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		seen = "nothing"
		var out struct{}
		if err := api.get(t.Context(), call{method: "GET", path: "/x", verb: "get", what: "x"}, &out); err != nil || seen != c.want {
			t.Errorf("%s: authorization %q, error %v", name, seen, err)
		}
	}
	if _, err := Access(func(string) string { return "" }, "none"); !errors.Is(err, ErrNoAccess) {
		t.Errorf("nothing given: %v", err)
	}
	bad := write("bad", "current-context: x\n")
	if _, err := Access(func(name string) string { return map[string]string{"KUBECONFIG": bad}[name] }, "none"); !errors.Is(err, errNoContext) {
		t.Errorf("an empty kubeconfig: %v", err)
	}
}
