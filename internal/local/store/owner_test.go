// SPDX-License-Identifier: MPL-2.0

package store

import (
	"os"
	"strings"
	"testing"
)

func TestTheDirectoryOfAnotherUserIsNotUsed(t *testing.T) {
	t.Parallel()
	l := NewLayout(t.TempDir())
	if err := l.CheckOwner(os.Geteuid() + 1); err != nil {
		t.Errorf("no directory: %v", err)
	}
	if err := l.Prepare(); err != nil {
		t.Fatal(err)
	}
	if err := l.CheckOwner(os.Geteuid()); err != nil {
		t.Errorf("own directory: %v", err)
	}
	if err := l.CheckOwner(os.Geteuid() + 1); err == nil || !strings.Contains(err.Error(), "belongs to another user") {
		t.Errorf("error %v", err)
	}
}

func TestOnlyTheOwnerMayEnter(t *testing.T) {
	t.Parallel()
	l := NewLayout(t.TempDir())
	if err := os.Mkdir(string(l), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := l.Prepare(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(string(l)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode %v, error %v", info.Mode(), err)
	}
}
