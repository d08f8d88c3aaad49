// SPDX-License-Identifier: MPL-2.0

//go:build linux || darwin

package stage

import (
	"path/filepath"
	"syscall"
	"testing"
)

func TestAPipeIsNoRecord(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(root, fileName), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := Read(root); r != nil {
		t.Errorf("record %+v", r)
	}
}
