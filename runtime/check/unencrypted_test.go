// SPDX-License-Identifier: MPL-2.0

package check

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// TestOnlyARegistryOnThisMachineIsAskedUnencrypted checks that only requests to
// a registry on this machine use http. go-containerregistry also tries http for
// some other registries.
func TestOnlyARegistryOnThisMachineIsAskedUnencrypted(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"10.1.2.3:5000/a/b":           "https://10.1.2.3:5000/v2/a/b/manifests/latest",
		"192.168.0.1/a":               "https://192.168.0.1/v2/a/manifests/latest",
		"registry.example.local/a":    "https://registry.example.local/v2/a/manifests/latest",
		"localhost:5000/a":            "http://localhost:5000/v2/a/manifests/latest",
		"localhost.example.com:1/a/b": "https://localhost.example.com:1/v2/a/b/manifests/latest",
	} {
		parsed, err := parseImage(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := (&imageLookup{image: parsed}).manifestURL(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestNoLoginServiceReceivesALoginUnencrypted covers two cases: the login
// service of an https registry has an http address, or the registry redirects
// to an http address.
func TestNoLoginServiceReceivesALoginUnencrypted(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		refer func(w http.ResponseWriter, address string)
		why   string
	}{
		"a login service": {func(w http.ResponseWriter, address string) {
			w.Header().Set("Www-Authenticate", `Bearer realm="`+address+`/token"`)
			w.WriteHeader(http.StatusUnauthorized)
		}, "would receive the login unencrypted"},
		"a redirect": {func(w http.ResponseWriter, address string) {
			w.Header().Set("Location", address)
			w.WriteHeader(http.StatusTemporaryRedirect)
		}, "redirected from https to http"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var received atomic.Int32
			open := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { received.Add(1) }))
			t.Cleanup(open.Close)
			registry := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { tt.refer(w, open.URL) }))
			t.Cleanup(registry.Close)
			client := Client()
			client.Transport = registry.Client().Transport.(*http.Transport).Clone()
			client.Transport.(*http.Transport).DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
				if address == "example.com:443" { // the name in the certificate
					address = registry.Listener.Addr().String()
				}
				return (&net.Dialer{}).DialContext(ctx, network, address)
			}
			state, why := Image(t.Context(), client, "example.com/a", Logins{"example.com": {"alice", "secret"}})
			if state != Unknown || !strings.Contains(why, tt.why) || received.Load() > 0 {
				t.Errorf("%v %q, %d unencrypted requests", state, why, received.Load())
			}
		})
	}
}
