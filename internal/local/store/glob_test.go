// SPDX-License-Identifier: MPL-2.0

package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTheNameOfADirectoryIsNoPattern(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"plain", "run[1]", "a[b", "what?", "*"} {
		dir = filepath.Join(t.TempDir(), dir)
		if err := os.MkdirAll(filepath.Join(dir, "0", "worker-0"), 0o755); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{filepath.Join(dir, "0", "worker-0")}, Glob(dir, "*/*")); diff != "" {
			t.Errorf("in %s (-want +got):\n%s", dir, diff)
		}
	}
	if found := Glob(filepath.Join(t.TempDir(), "none"), "*"); found != nil {
		t.Errorf("in a directory that does not exist: %q", found)
	}
}
