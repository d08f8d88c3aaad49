// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
)

const oneItem = "name: x\ntype: script\ncallbacks:\n  - {event: taskStarts, commands: [echo x]}\n"

func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// The errors must be the same for item files and Marketplace servers, except for the
// kind of a missing page.
func TestEachServerFailureHasItsErrorKind(t *testing.T) {
	t.Parallel()
	small := quick()
	small.FileBytes, small.ListBytes, small.Tries = 4096, 4096, 2
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		kind   *hclspec.Entry
		want   string
	}{
		"not found":       {status(404, "Result not found"), nil, ""},
		"not logged in":   {status(401, "Authentication token is missing or invalid"), hclspec.MarketplaceNotPermitted, "status 401"},
		"forbidden":       {status(403, "no"), hclspec.MarketplaceNotPermitted, "status 403"},
		"its own failure": {status(500, "Database error"), hclspec.MarketplaceUnreachable, `"Database error"`},
		"overloaded":      {status(503, ""), hclspec.MarketplaceUnreachable, "status 503"},
		"a long Retry-After": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
		}, hclspec.MarketplaceUnreachable, "1h0m0s"},
		"a web page":   {page, hclspec.ItemNotParseable, ""},
		"too much":     {func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("# x\n", 5000)) }, hclspec.ItemTooLarge, "larger than"},
		"never enough": {endless, hclspec.ItemTooLarge, "larger than"},
		"it stalls":    {stall, hclspec.MarketplaceUnreachable, "did not respond in time"},
		"it breaks off": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, "name")
		}, hclspec.MarketplaceUnreachable, "unexpected EOF"},
		"it turns in a circle": {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) }, hclspec.MarketplaceUnreachable, "redirected more than 10 times"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, limits := serve(t, c.answer), *small
			if name == "it stalls" {
				limits.Attempt = 200 * time.Millisecond
			}
			for _, source := range []string{url + "/items.yaml", "rest::" + url} {
				err := listError(source, Options{Limits: &limits})
				kind := c.kind
				if kind == nil && strings.HasPrefix(source, "rest") {
					kind = hclspec.MarketplaceUnreachable // not a Marketplace server
				} else if kind == nil {
					kind = hclspec.ItemNotFound
				}
				if !Is(err, kind) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: the error is %v, want %s with %q", source, err, kind.Code, c.want)
				}
			}
		})
	}
}

func status(code int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, text, code) }
}

func page(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprint(w, "<!DOCTYPE html><html><body>Sign in</body></html>")
}

func endless(w http.ResponseWriter, r *http.Request) {
	for r.Context().Err() == nil {
		if _, err := fmt.Fprint(w, "# more\n"); err != nil {
			return
		}
	}
}

func stall(w http.ResponseWriter, r *http.Request) {
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

func TestAnUnreachableServerIsReported(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	for _, source := range []string{s.URL + "/items.yaml", "rest::" + s.URL} {
		if err := listError(source, Options{}); !Is(err, hclspec.MarketplaceUnreachable) || !strings.Contains(err.Error(), "connection refused") {
			t.Errorf("%s: the error is %v", source, err)
		}
	}
}

// TestRetriesAfterTheRequestedTime checks that the client obeys the
// Retry-After header of status 429, and also retries after status 503.
func TestRetriesAfterTheRequestedTime(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]func() string{
		"seconds": func() string { return "1" },
		"a date":  func() string { return time.Now().Add(2 * time.Second).UTC().Format(http.TimeFormat) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			var first, last time.Time
			url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				switch asked.Add(1) {
				case 1:
					first = time.Now()
					w.Header().Set("Retry-After", after())
					w.WriteHeader(http.StatusTooManyRequests)
				case 2:
					last = time.Now()
					w.WriteHeader(http.StatusServiceUnavailable)
				default:
					fmt.Fprint(w, oneItem)
				}
			})
			if l := list(t, url+"/x.yaml", Options{}); len(l.Items) != 1 || asked.Load() != 3 {
				t.Errorf("%d items after %d requests, want 1 after 3", len(l.Items), asked.Load())
			}
			if waited := last.Sub(first); waited < 900*time.Millisecond {
				t.Errorf("the client retried after %s", waited)
			}
		})
	}
}

// TestCredentialIsSentOnlyToItsHost checks that only the host of the credential
// receives it. The first host redirects to another host, which redirects back.
func TestCredentialIsSentOnlyToItsHost(t *testing.T) {
	t.Parallel()
	var own, foreign []string
	var home string
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		foreign = append(foreign, r.Header.Get("Authorization"))
		if r.URL.Path == "/there" {
			http.Redirect(w, r, home+"/back.yaml", http.StatusFound)
			return
		}
		fmt.Fprint(w, oneItem)
	})
	home = serve(t, func(w http.ResponseWriter, r *http.Request) {
		own = append(own, r.Header.Get("Authorization"))
		if r.URL.Path == "/back.yaml" {
			fmt.Fprint(w, oneItem)
			return
		}
		http.Redirect(w, r, other+"/there", http.StatusFound)
	})
	if l := list(t, home+"/x.yaml", token("hush")); len(l.Items) != 1 {
		t.Fatalf("%d items", len(l.Items))
	}
	if len(own) != 2 || own[0] != "Bearer hush" {
		t.Errorf("the host of the token received %q", own)
	}
	if len(foreign) != 1 || foreign[0] != "" {
		t.Errorf("another host got %q", foreign)
	}
}

func TestARedirectFromHTTPSToHTTPIsRejected(t *testing.T) {
	t.Parallel()
	open := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, oneItem) })
	s := httptest.NewTLSServer(http.RedirectHandler(open+"/x.yaml", http.StatusFound))
	t.Cleanup(s.Close)
	err := listError(s.URL+"/x.yaml", Options{Transport: s.Client().Transport})
	if !Is(err, hclspec.MarketplaceUnreachable) || !strings.Contains(err.Error(), "redirected from https to http") {
		t.Errorf("the error is %v", err)
	}
}

func TestAnUnknownCertificateIsAnError(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(status(200, oneItem))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	if err := listError(s.URL+"/x.yaml", Options{}); !Is(err, hclspec.MarketplaceUnreachable) || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("the error is %v", err)
	}
}

// A server may fail after it has stored an item. The client must not store the item
// twice.
func TestWhatMayHaveBeenStoredIsNotPostedAgain(t *testing.T) {
	t.Parallel()
	limits := quick()
	for name, c := range map[string]struct {
		first, requests int
		want            string
	}{
		"not taken yet":            {http.StatusTooManyRequests, 2, ""},
		"a failure after it":       {http.StatusServiceUnavailable, 1, "responded with status"},
		"a gateway that timed out": {http.StatusGatewayTimeout, 1, "responded with status"},
		"no permission":            {http.StatusForbidden, 1, "does not permit publishing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests atomic.Int32
			url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if requests.Add(1) == 1 {
					w.WriteHeader(c.first)
					return
				}
				fmt.Fprint(w, "{}")
			})
			_, err := newClient(url, "", Options{Limits: limits}).do(t.Context(), http.MethodPost, url+"/items", []byte("{}"), 4096)
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want %q", err, c.want)
			}
			if got := int(requests.Load()); got != c.requests {
				t.Errorf("%d requests, want %d", got, c.requests)
			}
		})
	}
}
