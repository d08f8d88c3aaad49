// SPDX-License-Identifier: MPL-2.0

//go:build unix

package plugin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/openpai/terraform-provider-openpai/runtime/fetch"
)

func TestGitTracesShowTheResponse(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, c := range map[string]struct {
		trace   string
		words   string
		status  int
		wait    time.Duration
		failure fetch.Failure
	}{
		"nothing":           {"", "fatal: repository not found", 0, 0, fetch.FailureRefused},
		"a lost connection": {"", "fatal: unable to access: Could not resolve host: example.org", 0, 0, fetch.FailureUnknownHost},
		"too many requests": {"12:00:00.1 http.c:1 <= Recv header: HTTP/1.1 429 Too Many Requests\r\n12:00:00.1 http.c:1 <= Recv header: Retry-After: 7\r\n", "", 429, 7 * time.Second, fetch.FailureUnreachable},
		"HTTP/2 and a date": {"<= Recv header: HTTP/2 503\n<= Recv header: retry-after: Fri, 02 Jan 2026 03:05:05 GMT\n", "", 503, time.Minute, fetch.FailureUnreachable},
		"a date gone by":    {"<= Recv header: HTTP/2 503\n<= Recv header: retry-after: Fri, 02 Jan 2026 03:00:00 GMT\n", "", 503, 0, fetch.FailureUnreachable},
		"nonsense":          {"<= Recv header: HTTP/2 503\n<= Recv header: retry-after: soon\n", "", 503, 0, fetch.FailureUnreachable},
		"the last counts":   {"<= Recv header: HTTP/2 429\n<= Recv header: retry-after: 7\n<= Recv header: HTTP/2 404\n", "error: 429", 404, 0, fetch.FailureRefused},
		"it broke off":      {"<= Recv header: HTTP/2 200\n", "fatal: early EOF", 200, 0, fetch.FailureUnreachable},
	} {
		file := filepath.Join(t.TempDir(), "trace")
		if err := os.WriteFile(file, []byte(c.trace), 0o600); err != nil {
			t.Fatal(err)
		}
		a := readGitTrace(file, now)
		if a.status != c.status || a.wait != c.wait || a.failure(&fetch.GitError{Lines: []string{c.words}}) != c.failure {
			t.Errorf("%s: %+v, failure %d", name, a, a.failure(&fetch.GitError{Lines: []string{c.words}}))
		}
	}
}

// A header that exceeds 64 KiB must not hide the lines that follow it.
func TestALongLineOfATraceIsReadOver(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "trace")
	text := "<= Recv header: X: " + strings.Repeat("x", 100<<10) + "\n<= Recv header: HTTP/1.1 503 Busy\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := readGitTrace(name, time.Unix(0, 0)); a.status != 503 {
		t.Errorf("status %d, want 503", a.status)
	}
}
