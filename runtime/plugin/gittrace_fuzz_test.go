// SPDX-License-Identifier: MPL-2.0

//go:build unix

package plugin

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// FuzzGitTrace checks, for any server headers, that the wait is limited and
// that the status has three digits.
func FuzzGitTrace(f *testing.F) {
	f.Add([]byte("12:00:00 http.c:1 <= Recv header: HTTP/1.1 429 Too Many\n12:00:00 http.c:1 <= Recv header: Retry-After: 99999999999999\n"))
	f.Add([]byte("Recv header: HTTP/2 503\nRecv header: retry-after: Fri, 31 Dec 9999 23:59:59 GMT\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		name := filepath.Join(t.TempDir(), "trace")
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		a := readGitTrace(name, time.Unix(0, 0))
		if a.wait < 0 || a.status < 0 || a.status > 999 {
			t.Errorf("status %d, wait %s", a.status, a.wait)
		}
	})
}
