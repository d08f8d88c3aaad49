// SPDX-License-Identifier: MPL-2.0

//go:build acc

package fault

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/kubernetes/apitest"
)

// Kind is a kind of fault.
type Kind string

// The faults. A hanging request ends when the client cancels it.
const (
	TooMany      Kind = "429"
	TooManyRetry Kind = "429 with Retry-After"
	Internal     Kind = "500"
	Unavailable  Kind = "503"
	Conflict     Kind = "409"
	Forbidden    Kind = "403"
	TooLarge     Kind = "413"
	HangBefore   Kind = "no response, not forwarded"
	HangAfter    Kind = "no answer, carried out"
	ResetBefore  Kind = "connection reset, not forwarded"
	ResetAfter   Kind = "connection reset, carried out"
	Late         Kind = "forwarded after the client canceled it"
)

// All contains every kind of fault.
var All = []Kind{TooMany, TooManyRetry, Internal, Unavailable, Conflict, Forbidden, TooLarge, HangBefore, HangAfter, ResetBefore, ResetAfter, Late}

// Request is a request that the proxy received.
type Request struct {
	Method, Path, Query string
	Bytes               int64 // size of the response
}

// Write reports whether the request can change an object.
func (r Request) Write() bool { return r.Method != http.MethodGet }

// Proxy forwards requests to a server and injects faults.
type Proxy struct {
	// URL is the address of the proxy.
	URL string
	// Delay is the time after which the proxy forwards a late request.
	Delay time.Duration
	// Hung, if not nil, is called when a request starts to hang. For
	// HangAfter, the proxy calls Hung after the server has responded.
	Hung func(Kind)

	server  *http.Server
	backend http.RoundTripper
	choose  func(Request) (Kind, bool)

	mu       sync.Mutex
	requests []Request
	late     sync.WaitGroup
}

// New starts a proxy. choose receives every request, and returns a fault and whether
// to inject that fault into the request. If choose is nil, the proxy does not inject
// faults. The proxy never calls choose concurrently.
func New(s *apitest.Server, choose func(Request) (Kind, bool)) (*Proxy, error) {
	cert, err := tls.LoadX509KeyPair(filepath.Join(s.Dir, "server.crt"), filepath.Join(s.Dir, "server.key"))
	if err != nil {
		return nil, err
	}
	authority, err := os.ReadFile(s.Config.CAFile)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	target, err := url.Parse(s.Config.Host)
	if err != nil {
		return nil, err
	}
	p := &Proxy{
		Delay: time.Second, choose: choose,
		backend: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}, MaxIdleConnsPerHost: 64},
	}
	forward := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:     roundTrip(p.roundTrip),
		FlushInterval: -1,
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12})
	if err != nil {
		return nil, err
	}
	p.server = &http.Server{Handler: p.handler(forward), ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: time.Minute}
	p.URL = "https://" + listener.Addr().String()
	go func() { _ = p.server.Serve(listener) }()
	return p, nil
}

// Close stops the proxy after it has forwarded late requests.
func (p *Proxy) Close() {
	p.late.Wait()
	_ = p.server.Close()
}

// Requests returns the requests received so far.
func (p *Proxy) Requests() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]Request{}, p.requests...)
}

type roundTrip func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func (p *Proxy) roundTrip(r *http.Request) (*http.Response, error) {
	res, err := p.backend.RoundTrip(r)
	if err == nil {
		res.Body = &counted{ReadCloser: res.Body, proxy: p, at: r.Context().Value(indexKey{})}
	}
	return res, err
}

// counted counts the bytes read from a response body.
type counted struct {
	io.ReadCloser
	proxy *Proxy
	at    any
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	if i, ok := c.at.(int); ok {
		c.proxy.mu.Lock()
		c.proxy.requests[i].Bytes += int64(n)
		c.proxy.mu.Unlock()
	}
	return n, err
}

type indexKey struct{}

func (p *Proxy) handler(forward http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind, spoiled, index := p.note(r)
		r = r.WithContext(contextWithIndex(r.Context(), index))
		if !spoiled {
			forward.ServeHTTP(w, r)
			return
		}
		p.spoil(w, r, kind, forward)
	})
}

func (p *Proxy) note(r *http.Request) (Kind, bool, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	req := Request{Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery}
	p.requests = append(p.requests, req)
	if p.choose == nil {
		return "", false, len(p.requests) - 1
	}
	kind, spoiled := p.choose(req)
	return kind, spoiled, len(p.requests) - 1
}

func (p *Proxy) spoil(w http.ResponseWriter, r *http.Request, kind Kind, forward http.Handler) {
	switch kind {
	case HangAfter, ResetAfter:
		forward.ServeHTTP(httptest.NewRecorder(), r)
	case Late:
		p.carryOutLate(r, forward)
	case TooManyRetry:
		w.Header().Set("Retry-After", "1")
	}
	switch kind {
	case HangBefore, HangAfter, Late:
		// The server detects that the client has disconnected only after the server has
		// read the body.
		_, _ = io.Copy(io.Discard, r.Body)
		if p.Hung != nil {
			p.Hung(kind)
		}
		<-r.Context().Done()
		panic(http.ErrAbortHandler)
	case ResetBefore, ResetAfter:
		reset(w)
	default:
		code := map[Kind]int{TooMany: 429, TooManyRetry: 429, Internal: 500, Unavailable: 503, Conflict: 409, Forbidden: 403, TooLarge: 413}[kind]
		http.Error(w, "spoiled by the test", code)
	}
}

// carryOutLate forwards the request after a delay, even if the client has closed the
// connection.
func (p *Proxy) carryOutLate(r *http.Request, forward http.Handler) {
	body, _ := io.ReadAll(r.Body)
	again := r.Clone(contextWithIndex(withoutCancel(r.Context()), -1))
	again.Body = io.NopCloser(strings.NewReader(string(body)))
	p.late.Go(func() {
		time.Sleep(p.Delay)
		forward.ServeHTTP(httptest.NewRecorder(), again)
	})
}

func reset(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if errors.Is(err, http.ErrNotSupported) || err != nil {
		panic(http.ErrAbortHandler)
	}
	if t, ok := conn.(*tls.Conn); ok {
		if tcp, ok := t.NetConn().(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
			_ = tcp.Close()
			return
		}
	}
	_ = conn.Close()
}
