// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/openpai/terraform-provider-openpai/internal/marketplace/marketplacetest"
)

// cmdServe implements serve DIR NAME LOG: it serves the files in DIR until the script
// ends. The variable NAME contains the URL of the server. The server appends each
// request to the file LOG. Paths below /locked/ require the credential "Bearer hush".
// The server never responds to requests for paths below /silent/. The response to
// /until/FILE/TEXT/NAME is 30 MB long. The server sends most of this response only
// after FILE in DIR contains TEXT.
func cmdServe(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: serve DIR NAME LOG")
	}
	log, err := os.Create(ts.MkAbs(args[2]))
	ts.Check(err)
	var mu sync.Mutex
	files := http.FileServer(http.Dir(ts.MkAbs(args[0])))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		_, _ = fmt.Fprintln(log, r.Method, r.URL.Path, r.Header.Get("User-Agent"))
		mu.Unlock()
		if strings.HasPrefix(r.URL.Path, "/locked/") && r.Header.Get("Authorization") != "Bearer hush" {
			http.Error(w, "who are you", http.StatusUnauthorized)
			return
		}
		if strings.HasPrefix(r.URL.Path, "/silent/") {
			<-r.Context().Done()
			return
		}
		if file, text, ok := untilPath(r.URL.Path); ok {
			serveUntil(w, r, filepath.Join(ts.MkAbs(args[0]), file), text)
			return
		}
		files.ServeHTTP(w, r)
	}))
	ts.Defer(func() {
		s.Close()
		_ = log.Close()
	})
	ts.Setenv(args[1], s.URL)
}

// cmdMarketplace implements marketplace URL [FAILING]: it starts an OpenPAI Marketplace
// server with the users alice, bob, carol and root. A user's token is the username.
// While the file FAILING exists, the server stores published items, but responds with
// status 503.
func cmdMarketplace(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 || len(args) > 2 {
		ts.Fatalf("usage: marketplace URL [FAILING]")
	}
	s := marketplacetest.New()
	ts.Defer(s.Close)
	if len(args) == 2 {
		failing := ts.MkAbs(args[1])
		s.After = func(int) bool {
			_, err := os.Stat(failing)
			return err == nil
		}
	}
	ts.Setenv(args[0], s.URL)
}

// untilPath splits a path /until/FILE/TEXT/NAME.
func untilPath(path string) (file, text string, ok bool) {
	parts := strings.Split(path, "/")
	if len(parts) != 5 || parts[1] != "until" {
		return "", "", false
	}
	return parts[2], parts[3], true
}

// serveUntil sends 30 MB: 1 kB at a time until the file contains the text, and then the
// rest.
func serveUntil(w http.ResponseWriter, r *http.Request, file, text string) {
	const part = 1000
	remaining := 30_000_000
	w.Header().Set("Content-Length", strconv.Itoa(remaining))
	for remaining > part && r.Context().Err() == nil {
		if content, err := os.ReadFile(file); err == nil && bytes.Contains(content, []byte(text)) {
			break
		}
		_, _ = w.Write(make([]byte, part))
		_ = http.NewResponseController(w).Flush()
		remaining -= part
		time.Sleep(10 * time.Millisecond)
	}
	_, _ = w.Write(make([]byte, remaining))
}

// wget replaces the real wget, which not every machine has. It implements only
// wget URL -O FILE, the form that the examples use.
func wget() {
	if len(os.Args) != 4 || os.Args[2] != "-O" {
		fmt.Fprintln(os.Stderr, "usage: wget URL -O FILE")
		os.Exit(2)
	}
	if err := save(os.Args[1], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "wget:", err)
		os.Exit(1)
	}
}

func save(url, name string) error {
	r, err := http.Get(url)
	if err != nil {
		return err
	}
	defer func() { _ = r.Body.Close() }()
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answered %s", r.Status)
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if _, err := io.Copy(f, r.Body); err != nil {
		return err
	}
	return f.Close()
}
