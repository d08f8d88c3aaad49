// SPDX-License-Identifier: MPL-2.0

package debian

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

const content = "what the package holds"

func known(path string) Package {
	sum := sha256.Sum256([]byte(content))
	return Package{Path: path, SHA256: hex.EncodeToString(sum[:])}
}

// mirror starts a server for one URL-encoded path. asked counts the requests.
func mirror(t *testing.T, path, text string) (address string, asked *atomic.Int32) {
	t.Helper()
	asked = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.EscapedPath() != path {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(s.Close)
	return s.URL + "/debian", asked
}

func TestFetchTakesTheFirstMirrorThatHasThePackage(t *testing.T) {
	t.Parallel()
	const path = "pool/a_1.0+b1_arm64.deb"
	empty, _ := mirror(t, "", "")
	other, _ := mirror(t, "/debian/pool/a_1.0%2Bb1_arm64.deb", "something else")
	right, _ := mirror(t, "/debian/pool/a_1.0%2Bb1_arm64.deb", content)
	never, asked := mirror(t, "", "")
	for name, c := range map[string]struct {
		mirrors []string
		err     []string
	}{
		"the first has it":                   {[]string{right, never}, nil},
		"a trailing slash does not matter":   {[]string{right + "/", never}, nil},
		"the second has it":                  {[]string{empty, right, never}, nil},
		"the first mirror has other content": {[]string{other, right, never}, nil},
		"none has it":                        {[]string{empty, other}, []string{"fetch the Debian package a_1.0+b1_arm64.deb", empty + "/pool/a_1.0%2Bb1_arm64.deb: 404 Not Found", other + "/pool/a_1.0%2Bb1_arm64.deb: the SHA-256 of the content is"}},
		"an address that is not valid":       {[]string{"mirror.example.org"}, []string{`unsupported protocol scheme ""`}},
		"a mirror without a listener":        {[]string{"http://127.0.0.1:1"}, []string{"127.0.0.1:1/pool", "refused"}},
	} {
		got, err := Archive{Mirrors: c.mirrors}.Fetch(t.Context(), known(path))
		if c.err == nil && (err != nil || string(got) != content) {
			t.Errorf("%s: %q, error %v", name, got, err)
		}
		for _, part := range c.err {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error does not contain %q: %v", name, part, err)
			}
		}
	}
	if asked.Load() > 0 {
		t.Errorf("Fetch used a mirror although an earlier mirror had the package")
	}
}

func TestACanceledFetchSendsNoRequest(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	second, asked := mirror(t, "/debian/a.deb", content)
	if _, err := (Archive{Mirrors: []string{"http://127.0.0.1:1", second}}).Fetch(ctx, known("a.deb")); err == nil || asked.Load() > 0 {
		t.Errorf("error %v, %d requests", err, asked.Load())
	}
}

func TestFetchKeepsThePackageInTheCache(t *testing.T) {
	t.Parallel()
	address, asked := mirror(t, "/debian/pool/a.deb", content)
	a := Archive{Mirrors: []string{address}, Cache: filepath.Join(t.TempDir(), "new", "cache")}
	fetch := func(want int32) {
		t.Helper()
		if got, err := a.Fetch(t.Context(), known("pool/a.deb")); err != nil || string(got) != content || asked.Load() != want {
			t.Errorf("%q after %d requests, error %v; want %d requests", got, asked.Load(), err, want)
		}
	}
	fetch(1)
	fetch(1)
	if err := os.WriteFile(filepath.Join(a.Cache, "a.deb"), []byte(content[:5]), 0o600); err != nil {
		t.Fatal(err)
	}
	fetch(2) // a damaged file is downloaded again
	fetch(2)
}
