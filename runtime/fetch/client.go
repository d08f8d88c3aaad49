// SPDX-License-Identifier: MPL-2.0

package fetch

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/redirect"
)

const connectTimeout = 15 * time.Second

// newClient sets no total timeout, because a download can take hours. The client
// does not decompress bodies, because digests and ranges refer to the transmitted
// bytes.
func newClient(silence time.Duration) *http.Client {
	return &http.Client{
		CheckRedirect: followRedirect,
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

// maxHeaderBytes limits the size of response headers.
const maxHeaderBytes = 1 << 20

// errUnsafeRedirect replaces redirect.ErrUnencrypted.
var errUnsafeRedirect = fmt.Errorf("%w, and no sha256 is declared; declare the sha256, or use the final address", redirect.ErrUnencrypted)

// schemeError is the error for a redirect to a URL that is neither http nor https.
type schemeError struct{ scheme string }

func (e *schemeError) Error() string {
	return fmt.Sprintf("the server redirected to an address with the scheme %q; only http and https are supported", e.scheme)
}

// digested is the context key that marks a request with a declared digest.
// Fetch verifies the content of such a request against the digest.
type digested struct{}

// followRedirect removes the credentials from all requests after a redirect to a
// different origin. It removes the Referer header, because the previous URL may
// contain signatures.
func followRedirect(r *http.Request, via []*http.Request) error {
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
	err := redirect.Check(r, via)
	switch {
	case !errors.Is(err, redirect.ErrUnencrypted):
		return err
	case r.Context().Value(digested{}) == nil:
		return errUnsafeRedirect
	}
	return nil
}

// originOf returns the scheme, host and port of a URL; credentials are valid only
// for one such origin.
func originOf(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + net.JoinHostPort(u.Hostname(), port)
}

// unwrapURLError removes the URL, which may contain credentials, from a client
// error.
func unwrapURLError(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
