// SPDX-License-Identifier: MPL-2.0

//go:build unix

package fetch

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCredentialsStayWithTheirHost(t *testing.T) {
	t.Parallel()
	other := newServer(t, 10, nil)
	var back atomic.Pointer[string]
	s := newServer(t, 10, func(_ int, w http.ResponseWriter, r *http.Request) bool {
		switch r.URL.Path {
		case "/away":
			http.Redirect(w, r, other.URL+"/stored?signature=1", http.StatusTemporaryRedirect)
		case "/here":
			http.Redirect(w, r, "/stored", http.StatusMovedPermanently)
		case "/detour":
			http.Redirect(w, r, *back.Load(), http.StatusFound)
		default:
			return false
		}
		return true
	})
	returning := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" || r.Header.Get("Referer") != "" {
			t.Errorf("headers %v", r.Header)
		}
		http.Redirect(w, r, s.URL+"/again", http.StatusFound)
	}))
	defer returning.Close()
	back.Store(&returning.URL)
	for _, path := range []string{"/away", "/here", "/detour"} {
		request := want(s.URL+path, filepath.Join(t.TempDir(), "f"), "")
		request.Auth = "Bearer geheim"
		if err := newFetcher("").Fetch(t.Context(), request); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff([]string{"GET /stored"}, other.asked()); diff != "" {
		t.Errorf("the other host (-want +got)\n%s", diff)
	}
	want := []string{"GET /away with Bearer geheim", "GET /here with Bearer geheim", "GET /stored with Bearer geheim", "GET /detour with Bearer geheim", "GET /again"}
	if diff := cmp.Diff(want, s.asked()); diff != "" {
		t.Errorf("the host (-want +got)\n%s", diff)
	}
}

func TestAnUnencryptedRedirectNeedsADigest(t *testing.T) {
	t.Parallel()
	open := newServer(t, 10, nil)
	secure := httptest.NewTLSServer(http.RedirectHandler(open.URL, http.StatusFound))
	defer secure.Close()
	f := newFetcher("")
	f.once.Do(f.prepare)
	f.client.Transport.(*http.Transport).TLSClientConfig = secure.Client().Transport.(*http.Transport).TLSClientConfig
	to := filepath.Join(t.TempDir(), "f")
	if err := f.Fetch(t.Context(), want(secure.URL, to, "")); !errors.Is(err, errUnsafeRedirect) || len(open.asked()) > 0 {
		t.Errorf("error %v, requests %v", err, open.asked())
	}
	if err := f.Fetch(t.Context(), want(secure.URL, to, sumOfBody(t, 10))); err != nil {
		t.Error(err)
	}
}
