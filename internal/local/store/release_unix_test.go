// SPDX-License-Identifier: MPL-2.0

//go:build linux || darwin

package store

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// A new process holds a copy of every open file descriptor until it executes its
// program.
func TestAReleasedLockIsFreeAlthoughACopyOfItsFileIsOpen(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "lock")
	lock, err := TryLock(name)
	if err != nil {
		t.Fatal(err)
	}
	inherited, err := unix.Dup(int(lock.File.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(inherited) }()
	lock.Release()
	again, err := TryLock(name)
	if err != nil {
		t.Fatalf("lock it again: %v", err)
	}
	again.Release()
}
