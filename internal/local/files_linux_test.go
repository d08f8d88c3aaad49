// SPDX-License-Identifier: MPL-2.0

package local

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Opening a pipe blocks until the pipe has a writer, but a plan must not block.
func TestAPipeIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := missing(dir, "pipe"); !strings.HasPrefix(got, "which is not a regular file.") {
		t.Errorf("got %q", got)
	}
}
