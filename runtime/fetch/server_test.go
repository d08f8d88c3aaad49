// SPDX-License-Identifier: MPL-2.0

//go:build unix

package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/runspec"
)

// body is generated content of any size.
type body struct{ size, at int64 }

func (b *body) Read(p []byte) (int, error) {
	n := int(min(int64(len(p)), b.size-b.at))
	for i := range n {
		at := b.at + int64(i)
		p[i] = byte(at ^ at>>8 ^ at>>16)
	}
	b.at += int64(n)
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (b *body) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += b.at
	case io.SeekEnd:
		offset += b.size
	}
	b.at = offset
	return offset, nil
}

func sumOfBody(t testing.TB, size int64) string {
	t.Helper()
	hash := sha256.New()
	if _, err := io.Copy(hash, &body{size: size}); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// server serves a body at every path and records requests. fault returns true if
// it has sent the response to a request. The server then does not send another
// response. The parameter n of fault is the number of the request, starting at 1.
type server struct {
	*httptest.Server
	size  int64
	etag  string
	fault func(n int, w http.ResponseWriter, r *http.Request) bool

	mu       sync.Mutex
	requests []string // method, path, Range and Authorization
	sent     int64
}

func newServer(t testing.TB, size int64, fault func(n int, w http.ResponseWriter, r *http.Request) bool) *server {
	t.Helper()
	s := &server{size: size, etag: `"v1"`, fault: fault}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	line := strings.TrimSpace(r.Method + " " + r.URL.Path + " " + r.Header.Get("Range"))
	if auth := r.Header.Get("Authorization"); auth != "" {
		line += " with " + auth
	}
	s.requests = append(s.requests, line)
	n, etag, fault, size := len(s.requests), s.etag, s.fault, s.size
	s.mu.Unlock()
	if etag != "" {
		w.Header().Set("ETag", etag)
	}
	counted := &counting{ResponseWriter: w, s: s}
	if fault != nil && fault(n, counted, r) {
		return
	}
	http.ServeContent(counted, r, "", time.Time{}, &body{size: size})
}

// set changes the server while it is running.
func (s *server) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

type counting struct {
	http.ResponseWriter
	s *server
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.s.mu.Lock()
	c.s.sent += int64(n)
	c.s.mu.Unlock()
	return n, err
}

func (c *counting) Unwrap() http.ResponseWriter { return c.ResponseWriter }

func (s *server) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.requests...)
}

func (s *server) sentBytes() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent
}

// breakAfter sends headers for the whole body, but only n bytes of the body.
// It then aborts the connection.
func breakAfter(w http.ResponseWriter, size, n int64) {
	w.Header().Set("Content-Length", fmt.Sprint(size))
	_, _ = io.CopyN(w, &body{size: size}, n)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// client is a Fetcher that records its pauses instead of sleeping.
type client struct {
	*Fetcher
	mu     sync.Mutex
	pauses []time.Duration
	logged []string
}

func newFetcher(cache string) *client {
	c := &client{}
	c.Fetcher = &Fetcher{
		Cache: cache, Silence: 30 * time.Second,
		Sleep: func(ctx context.Context, d time.Duration) error {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.pauses = append(c.pauses, d)
			return context.Cause(ctx)
		},
		Log: func(sentence string) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.logged = append(c.logged, sentence)
		},
	}
	return c
}

// fetched lists all files below a directory, including staging files.
func fetched(t testing.TB, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			rel, _ := filepath.Rel(dir, path)
			names = append(names, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func want(url, to, sum string) runspec.Fetch {
	return runspec.Fetch{URL: url, To: to, SHA256: sum, Retries: 3}
}
