package fetch

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

const connectTimeout = 15 * time.Second

// maxRedirects is how many are followed, as by browsers' smallest limit.
const maxRedirects = 10

// newClient returns a client without a limit on the whole: data sets take
// hours. Bodies come as they are sent, never decompressed, since digests and
// ranges are of those.
func newClient(silence time.Duration) *http.Client {
	return &http.Client{
		CheckRedirect: redirect,
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            (&net.Dialer{Timeout: connectTimeout}).DialContext,
			TLSHandshakeTimeout:    connectTimeout,
			ResponseHeaderTimeout:  silence,
			DisableCompression:     true,
			MaxResponseHeaderBytes: maxHeaderBytes,
			ForceAttemptHTTP2:      true,
		},
	}
}

// maxHeaderBytes bounds the headers of a response: no server needs more.
const maxHeaderBytes = 1 << 20

var (
	errUnsafeRedirect = errors.New("the server redirects from https to http, and no sha256 is declared; declare one or use the final address")
	errRedirects      = fmt.Errorf("the server redirects more than %d times", maxRedirects)
)

// schemeError is a redirect to something that is not fetched by HTTP.
type schemeError struct{ scheme string }

func (e *schemeError) Error() string {
	return fmt.Sprintf("the server redirects to an address with the scheme %q; only http and https are supported", e.scheme)
}

// digested marks, in the context of a request, that the content is checked by
// a declared digest.
type digested struct{}

// redirect decides on following. Credentials stay with the host they were
// given for, once another one was asked; so do addresses, which may hold
// signatures.
func redirect(r *http.Request, via []*http.Request) error {
	if len(via) >= maxRedirects {
		return errRedirects
	}
	if r.URL.Scheme != "http" && r.URL.Scheme != "https" {
		return &schemeError{r.URL.Scheme}
	}
	r.Header.Del("Referer")
	first := via[0].URL
	for _, earlier := range append(via[1:len(via):len(via)], r) {
		if originOf(earlier.URL) != originOf(first) {
			r.Header.Del("Authorization")
		}
	}
	if via[len(via)-1].URL.Scheme == "https" && r.URL.Scheme == "http" && r.Context().Value(digested{}) == nil {
		return errUnsafeRedirect
	}
	return nil
}

// originOf is what credentials are given for: scheme, host and port.
func originOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(u.Hostname(), port)
}

// unwrapURLError takes the address out of an error of the client, which may hold
// credentials.
func unwrapURLError(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
