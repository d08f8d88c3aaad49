//go:build unix

package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"
)

// How long a server may be silent. There is no limit for the whole: data sets
// take hours.
const (
	connectTimeout = 15 * time.Second
	answerTimeout  = 60 * time.Second
	silenceTimeout = 60 * time.Second
)

var errSilent = fmt.Errorf("the server sent nothing for %s", silenceTimeout)

var httpClient = &http.Client{Transport: &http.Transport{
	Proxy:                 http.ProxyFromEnvironment,
	DialContext:           (&net.Dialer{Timeout: connectTimeout}).DialContext,
	TLSHandshakeTimeout:   connectTimeout,
	ResponseHeaderTimeout: answerTimeout,
	ForceAttemptHTTP2:     true,
}}

// httpBody sends the request and returns the stream of a successful answer.
func httpBody(ctx context.Context, u *url.URL, auth string) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		cancel(nil)
		return nil, errors.New("the address cannot be read")
	}
	if auth != "" {
		request.Header.Set("Authorization", auth)
	}
	response, err := httpClient.Do(request)
	if err != nil {
		cancel(nil)
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		_ = response.Body.Close()
		cancel(nil)
		return nil, fmt.Errorf("the server answered %s", response.Status)
	}
	silence := time.AfterFunc(silenceTimeout, func() { cancel(errSilent) })
	return &watchedBody{ReadCloser: response.Body, ctx: ctx, cancel: cancel, silence: silence}, nil
}

// watchedBody gives up on a server that stops sending.
type watchedBody struct {
	io.ReadCloser
	ctx     context.Context
	cancel  context.CancelCauseFunc
	silence *time.Timer
}

func (b *watchedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.silence.Reset(silenceTimeout)
	if err != nil && err != io.EOF && context.Cause(b.ctx) != nil {
		err = context.Cause(b.ctx)
	}
	return n, err
}

func (b *watchedBody) Close() error {
	b.silence.Stop()
	b.cancel(nil)
	return b.ReadCloser.Close()
}
