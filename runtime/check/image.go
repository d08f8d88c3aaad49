// SPDX-License-Identifier: MPL-2.0

package check

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/redirect"
)

// State is the result of an image check.
type State int

// States of an image.
const (
	Unknown State = iota
	Exists
	Missing
)

// manifestTypes is the Accept header for all manifest types. Registries
// return 404 for a manifest whose type is not in the Accept header.
const manifestTypes = "application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json, " +
	"application/vnd.docker.distribution.manifest.list.v2+json, application/vnd.docker.distribution.manifest.v2+json, " +
	"application/vnd.docker.distribution.manifest.v1+prettyjws, */*;q=0.1"

// Client returns an HTTP client with a timeout for every request. The client does not
// follow a redirect from https to http, which could send a login unencrypted.
func Client() *http.Client {
	return &http.Client{Timeout: 10 * time.Second, CheckRedirect: redirect.Check, Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
		TLSHandshakeTimeout: 5 * time.Second, ForceAttemptHTTP2: true,
	}}
}

// Image asks the registry whether an image exists. The state is Missing only if the
// name is invalid, the registry returns 404, or the registry rejects the login. why
// explains the state.
func Image(ctx context.Context, client *http.Client, name string, logins Logins) (state State, why string) {
	parsed, err := parseImage(name)
	if err != nil {
		return Missing, fmt.Sprintf("%q is not a valid image name: %v", name, err)
	}
	i := &imageLookup{client: client, image: parsed}
	i.login, i.hasLogin = logins[registryName(i.registry)]
	state, why = i.lookup(ctx)
	if why != "" {
		why = name + ": " + why
	}
	return state, why
}

// imageLookup checks one image.
type imageLookup struct {
	image
	client   *http.Client
	login    Login
	hasLogin bool
}

// scheme returns the registry's URL scheme. Like docker, the check uses
// unencrypted HTTP for a registry on this machine if the registry's name
// contains a port.
func (i *imageLookup) scheme() string {
	name, _, err := net.SplitHostPort(i.registry)
	if err == nil && (name == "localhost" || net.ParseIP(name).IsLoopback()) {
		return "http"
	}
	return "https"
}

func (i *imageLookup) manifestURL() string {
	host := i.registry
	if host == dockerHub {
		host = "registry-1.docker.io"
	}
	u := url.URL{Scheme: i.scheme(), Host: host, Path: "/v2/" + i.repository + "/manifests/" + i.version}
	return u.String()
}

func (i *imageLookup) lookup(ctx context.Context) (State, string) {
	res, err := i.send(ctx, http.MethodHead, i.manifestURL(), "")
	if err != nil {
		return Unknown, err.Error()
	}
	if res.StatusCode != http.StatusUnauthorized {
		return i.stateOf(res.StatusCode, i.hasLogin)
	}
	authorization, state, why := i.authorize(ctx, parseChallenges(res.Header.Values("Www-Authenticate")))
	if authorization == "" {
		return state, why
	}
	res, err = i.send(ctx, http.MethodHead, i.manifestURL(), authorization)
	if err != nil {
		return Unknown, err.Error()
	}
	return i.stateOf(res.StatusCode, true)
}

// stateOf returns Unknown if the registry denies an anonymous request: the
// node may have credentials for the registry.
func (i *imageLookup) stateOf(code int, known bool) (State, string) {
	switch {
	case code/100 == 2:
		return Exists, ""
	case code == http.StatusNotFound:
		return Missing, "the registry does not contain the image or the version"
	case (code == http.StatusUnauthorized || code == http.StatusForbidden) && known && i.hasLogin:
		return Missing, fmt.Sprintf("the registry rejects the user %q: %d %s", i.login.Username, code, http.StatusText(code))
	default:
		return Unknown, fmt.Sprintf("the registry returned %d %s", code, http.StatusText(code))
	}
}

// authorize returns an Authorization header. If it cannot answer a challenge, it
// returns "", the state of the image and the reason.
func (i *imageLookup) authorize(ctx context.Context, offers []challenge) (string, State, string) {
	for _, c := range offers {
		switch c.scheme {
		case "basic":
			if i.hasLogin {
				return basic(i.login), Unknown, ""
			}
		case "bearer":
			target, ok := c.tokenURL("repository:" + i.repository + ":pull")
			switch {
			case !ok:
			case i.hasLogin && i.scheme() == "https" && target.Scheme == "http":
				return "", Unknown, "the registry's login service uses http and would receive the login unencrypted"
			default:
				return i.token(ctx, target.String())
			}
		}
	}
	return "", Unknown, "the registry requires a login, but the job does not provide one"
}

func (i *imageLookup) token(ctx context.Context, target string) (string, State, string) {
	authorization := ""
	if i.hasLogin {
		authorization = basic(i.login)
	}
	res, err := i.send(ctx, http.MethodGet, target, authorization)
	if err != nil {
		return "", Unknown, err.Error()
	}
	if code := res.StatusCode; code != http.StatusOK {
		if state, why := i.stateOf(code, true); state == Missing && code != http.StatusNotFound {
			return "", state, why // the login is refused
		}
		return "", Unknown, fmt.Sprintf("the registry's login service returned %d %s", code, http.StatusText(code))
	}
	var answer struct {
		Token       string `json:"token"`
		AccessToken string `json:"access_token"`
	}
	if json.Unmarshal(res.body, &answer) != nil || answer.Token == "" && answer.AccessToken == "" {
		return "", Unknown, "the registry's login service returned no token"
	}
	answer.Token = cmp.Or(answer.Token, answer.AccessToken)
	return "Bearer " + answer.Token, Unknown, ""
}

// response is a response whose body has been read.
type response struct {
	*http.Response
	body []byte
}

// maxRetryAfter is the longest Retry-After delay that send accepts. A request
// waits at most once.
const maxRetryAfter = 5 * time.Second

// send sends a request, and repeats it once if the registry is overloaded.
func (i *imageLookup) send(ctx context.Context, method, target, authorization string) (*response, error) {
	for try := 0; ; try++ {
		req, err := http.NewRequestWithContext(ctx, method, target, nil)
		if err != nil {
			return nil, fmt.Errorf("ask the registry: %w", err)
		}
		req.Header.Set("Accept", manifestTypes)
		if authorization != "" {
			req.Header.Set("Authorization", authorization)
		}
		res, err := i.client.Do(req)
		if err != nil {
			return nil, fmt.Errorf("ask the registry: %w", err)
		}
		body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
		_ = res.Body.Close()
		if err != nil {
			return nil, fmt.Errorf("ask the registry: %w", err)
		}
		busy := res.StatusCode == http.StatusTooManyRequests || res.StatusCode == http.StatusServiceUnavailable
		if !busy || try > 0 || !sleepRetryAfter(ctx, res.Header.Get("Retry-After")) {
			return &response{res, body}, nil
		}
	}
}

// sleepRetryAfter returns false if the delay is invalid or exceeds
// maxRetryAfter, or if ctx is canceled.
func sleepRetryAfter(ctx context.Context, after string) bool {
	wait, err := time.ParseDuration(strings.TrimSpace(after) + "s")
	if err != nil || wait < 0 || wait > maxRetryAfter {
		return false
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

func basic(l Login) string {
	r := http.Request{Header: http.Header{}}
	r.SetBasicAuth(l.Username, l.Password)
	return r.Header.Get("Authorization")
}
