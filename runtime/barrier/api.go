// SPDX-License-Identifier: MPL-2.0

package barrier

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// API sends requests to an API server with the credentials of a client.
type API struct {
	Server string // "https://10.96.0.1:443"
	Client *http.Client
	// Token returns the bearer token. If Token is nil, requests do not have a
	// token. Each request calls Token again, because the kubelet renews the token
	// file.
	Token func() (string, error)
}

// requestTimeout is the time limit for requests other than watches.
const requestTimeout = 20 * time.Second

// maxResponse is the maximum number of bytes that are read from a response. The
// limit exceeds the size of any object that etcd stores.
const maxResponse = 8 << 20

// statusError is a response with an error status.
type statusError struct {
	code       int
	verb       string
	what       string // the requested object
	message    string // from the server
	retryAfter time.Duration
}

func (e *statusError) Error() string {
	return fmt.Sprintf("%s %s: %d %s: %s", e.verb, e.what, e.code, http.StatusText(e.code), e.message)
}

// call is one request.
type call struct {
	method, path string
	verb, what   string // verb and object for messages: "watch", "Framework x"
	query        url.Values
	body         any
	contentType  string
}

func (a *API) open(ctx context.Context, c call) (io.ReadCloser, error) {
	var body io.Reader
	if c.body != nil {
		text, err := json.Marshal(c.body)
		if err != nil {
			panic("barrier: " + err.Error())
		}
		body = bytes.NewReader(text)
	}
	target := strings.TrimSuffix(a.Server, "/") + c.path
	if len(c.query) > 0 {
		target += "?" + c.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, c.method, target, body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", c.verb, c.what, err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "openpai-runtime")
	if c.contentType != "" {
		req.Header.Set("Content-Type", c.contentType)
	}
	if a.Token != nil {
		token, err := a.Token()
		if err != nil {
			return nil, fmt.Errorf("read the token of the service account: %w", err)
		}
		req.Header.Set("Authorization", "Bearer "+token)
	}
	res, err := a.Client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", c.verb, c.what, err)
	}
	if res.StatusCode/100 == 2 {
		return res.Body, nil
	}
	defer func() { _ = res.Body.Close() }()
	return nil, newStatusError(c, res)
}

func newStatusError(c call, res *http.Response) *statusError {
	e := &statusError{code: res.StatusCode, verb: c.verb, what: c.what}
	text, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10)) // the error contains the status code even if the body cannot be read
	var status struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(text, &status) == nil {
		e.message = status.Message
	}
	if seconds, err := time.ParseDuration(res.Header.Get("Retry-After") + "s"); err == nil {
		e.retryAfter = min(seconds, time.Minute)
	}
	return e
}

func (a *API) get(ctx context.Context, c call, out any) error {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	body, err := a.open(ctx, c)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	if err := json.NewDecoder(io.LimitReader(body, maxResponse)).Decode(out); err != nil {
		return fmt.Errorf("%s %s: %w", c.verb, c.what, err)
	}
	return nil
}

// event is one event of a watch.
type event struct {
	Type   string          `json:"type"` // ADDED, MODIFIED, DELETED, ERROR
	Object json.RawMessage `json:"object"`
}

// watchTimeout is the duration after which the server ends a watch.
const watchTimeout = 5 * time.Minute

// watch calls each for every event until the watch ends or each returns an
// error. The end of a watch is not an error.
func (a *API) watch(ctx context.Context, c call, each func(event) error) error {
	ctx, cancel := context.WithTimeout(ctx, watchTimeout+requestTimeout)
	defer cancel()
	c.verb = "watch"
	c.query.Set("watch", "1")
	c.query.Set("timeoutSeconds", fmt.Sprint(int(watchTimeout.Seconds())))
	body, err := a.open(ctx, c)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }()
	for events := json.NewDecoder(body); ; {
		var e event
		if err := events.Decode(&e); err != nil {
			return nil // the server or the network ended the watch
		}
		if err := each(e); err != nil {
			return err
		}
	}
}

// Account returns the account name from the token, for messages:
// "system:serviceaccount:ns:x".
func (a *API) Account() string {
	const unknown = "the service account of the Pod"
	if a.Token == nil {
		return "an anonymous user"
	}
	token, err := a.Token()
	if err != nil {
		return unknown
	}
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return unknown
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	var claims struct {
		Subject string `json:"sub"`
	}
	if err != nil || json.Unmarshal(payload, &claims) != nil || claims.Subject == "" {
		return unknown
	}
	return claims.Subject
}
