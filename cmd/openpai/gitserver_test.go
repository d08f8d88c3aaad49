// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"net/http/cgi"
	"net/http/httptest"
	"os/exec"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// cmdServeGit implements servegit DIR NAME: it serves the git repositories below
// DIR over HTTP until the script ends. The variable NAME contains the URL of the
// server.
func cmdServeGit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: servegit DIR NAME")
	}
	program, err := exec.LookPath("git")
	ts.Check(err)
	s := httptest.NewServer(&cgi.Handler{
		Path: program, Args: []string{"http-backend"}, Stderr: new(strings.Builder),
		Env: []string{"GIT_PROJECT_ROOT=" + ts.MkAbs(args[0]), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"},
	})
	ts.Defer(s.Close)
	ts.Setenv(args[1], s.URL)
}
