// SPDX-License-Identifier: MPL-2.0

package marketplace

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/internal/redirect"
)

// client sends requests to one origin, within the limits. The transport adds the
// credential only to requests for that origin. It does not change the request
// object, so that redirects cannot leak the credential.
type client struct {
	http   *http.Client
	limits Limits
	now    func() time.Time
}

func newClient(origin, token string, o Options) *client {
	base := o.Transport
	if base == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
		base = t
	}
	return &client{
		http: &http.Client{
			Transport:     &credential{origin: originOf(origin), header: authorization(token), next: base},
			CheckRedirect: redirect.Check,
		},
		limits: o.limits(), now: time.Now,
	}
}

// credential adds the Authorization header for one origin.
type credential struct {
	origin, header string
	next           http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (c *credential) RoundTrip(req *http.Request) (*http.Response, error) {
	if c.header != "" && originOf(req.URL.String()) == c.origin {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", c.header)
	}
	return c.next.RoundTrip(req)
}

func originOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// authorization returns the Authorization header for a token. A token that already
// includes a scheme is returned unchanged.
func authorization(token string) string {
	if token == "" || strings.Contains(token, " ") {
		return token
	}
	return "Bearer " + token
}

// do sends a request, retries transient failures, and returns the response
// body.
func (c *client) do(ctx context.Context, method, target string, body []byte, limit int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.limits.Total)
	defer cancel()
	pause := c.limits.Pause
	for try := 1; ; try++ {
		answer, err := c.once(ctx, method, target, body, limit)
		var again *transient
		if !errors.As(err, &again) || try == c.limits.Tries {
			return answer, plain(err)
		}
		wait := max(pause, again.after)
		if again.after > c.limits.Wait {
			return nil, failure(hclspec.MarketplaceUnreachable, "%s requested a retry after %s, which exceeds the maximum wait", target, again.after.Round(time.Second))
		}
		if err := sleep(ctx, wait); err != nil {
			return nil, plain(again)
		}
		pause *= 2
	}
}

// transient is the error for a failure that may be temporary.
type transient struct {
	err   *Error
	after time.Duration
}

func (t *transient) Error() string { return t.err.Error() }

func (t *transient) Unwrap() error { return t.err }

func plain(err error) error {
	var t *transient
	if errors.As(err, &t) {
		return t.err
	}
	return err
}

func (c *client) once(ctx context.Context, method, target string, body []byte, limit int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, c.limits.Attempt)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, target, strings.NewReader(string(body)))
	if err != nil {
		return nil, failed(InvalidMarketplaceSource, err, "%s is not a URL", target)
	}
	req.Header.Set("User-Agent", "openpai")
	if len(body) > 0 {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.unreachable(method, target, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return nil, c.refused(resp, target)
	}
	answer, err := bounded(resp.Body, limit)
	switch {
	case errors.Is(err, errTooLarge):
		return nil, failure(hclspec.ItemTooLarge, "the response from %s is larger than %s", target, quantity.Bytes(limit))
	case err != nil:
		return nil, c.unreachable(method, target, err)
	}
	return answer, nil
}

// unreachable returns the error for a server that cannot be reached. The error is
// transient only for GET, because the server may have received the request of a
// failed POST.
func (c *client) unreachable(method, target string, err error) error {
	e := failed(hclspec.MarketplaceUnreachable, err, "%s cannot be reached", originOf(target))
	if method == http.MethodGet && !errors.Is(err, context.Canceled) {
		return &transient{err: e}
	}
	return e
}

func (c *client) refused(resp *http.Response, target string) error {
	said := words(resp.Body)
	switch s := resp.StatusCode; {
	case s == http.StatusNotFound || s == http.StatusGone:
		return failure(hclspec.ItemNotFound, "%s does not exist%s", target, said)
	case s == http.StatusUnauthorized:
		return failure(hclspec.MarketplaceNotPermitted, "%s requires a valid credential (status 401)%s", originOf(target), said)
	case s == http.StatusForbidden && resp.Request.Method == http.MethodPost:
		return failure(hclspec.MarketplaceNotPermitted, "this credential does not permit publishing to %s (status 403)%s", target, said)
	case s == http.StatusForbidden && resp.Request.Method == http.MethodDelete:
		return failure(hclspec.MarketplaceNotPermitted, "this credential does not permit deleting %s (status 403)%s", target, said)
	case s == http.StatusForbidden:
		return failure(hclspec.MarketplaceNotPermitted, "this credential does not permit reading %s (status 403)%s", target, said)
	case s == http.StatusBadRequest && resp.Request.Method == http.MethodPost:
		return failure(hclspec.CannotPublish, "%s rejected the item%s", target, said)
	case s == http.StatusRequestEntityTooLarge:
		return failure(hclspec.CannotPublish, "%s does not accept content of this size (status 413)", target)
	case resp.Request.Method == http.MethodPost && s >= 500:
		return failure(hclspec.MarketplaceUnreachable, "%s responded with status %d%s", target, s, said)
	case s == http.StatusTooManyRequests, s == http.StatusServiceUnavailable, s == http.StatusBadGateway, s == http.StatusGatewayTimeout:
		return &transient{failure(hclspec.MarketplaceUnreachable, "%s responded with status %d%s", target, s, said), c.retryAfter(resp)}
	}
	return failure(hclspec.MarketplaceUnreachable, "%s responded with status %d%s", target, resp.StatusCode, said)
}

// retryAfter parses both forms of the Retry-After header. Source: RFC 9110,
// section 10.2.3.
func (c *client) retryAfter(resp *http.Response) time.Duration {
	text := resp.Header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil && seconds > 0 {
		return time.Duration(min(seconds, 1<<30)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(at.Sub(c.now()), 0)
	}
	return 0
}

// words returns the beginning of a plain text response for an error.
func words(r io.Reader) string {
	said, _ := io.ReadAll(io.LimitReader(r, 200))
	line := strings.Join(strings.Fields(strings.ToValidUTF8(string(said), "")), " ")
	if line == "" || strings.HasPrefix(line, "<") {
		return ""
	}
	return fmt.Sprintf(": %q", line)
}

// sleep waits for d. If ctx is canceled first, sleep returns the error of
// ctx.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// itemFile is an item file at a URL.
type itemFile struct {
	url    string
	client *client
}

// Address implements [Source].
func (f *itemFile) Address() string { return f.url }

// Items implements [Source].
func (f *itemFile) Items(ctx context.Context, _ Query) (*Listing, error) {
	src, err := f.client.do(ctx, http.MethodGet, f.url, nil, f.client.limits.FileBytes)
	if err != nil {
		return nil, err
	}
	name := path.Base(urlPath(f.url))
	if !IsItemFile(name) {
		name += ".yaml"
	}
	if head := strings.ToLower(strings.TrimSpace(string(src[:min(len(src), 64)]))); strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html") {
		return nil, failure(hclspec.ItemNotParseable, "%s is a web page, not an item file; use the URL of the raw file", f.url)
	}
	l := &Listing{}
	l.AddFile(name, f.url, src)
	return l, nil
}
