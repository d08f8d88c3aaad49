// SPDX-License-Identifier: MPL-2.0

package store

import (
	"errors"
	"fmt"
	"os"
	"time"
)

// ErrLocked reports that another process holds a lock.
var ErrLocked = errors.New("locked by another process")

// Lock is a lock on a file. The operating system releases the lock when the
// process ends for any reason, so no stale lock remains.
type Lock struct{ File *os.File }

// lockFile creates the file if necessary. If wait is false, it fails with
// ErrLocked while another process holds the lock.
func lockFile(name string, wait bool) (*Lock, error) {
	for {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|noFollow, 0o644)
		if err != nil {
			return nil, fmt.Errorf("lock: %w", err)
		}
		if err := flock(f, true, wait); err != nil {
			_ = f.Close()
			return nil, lockError(name, err)
		}
		if SameFile(f, name) {
			return &Lock{f}, nil
		}
		_ = f.Close() // the file was removed during the wait, so the lock is on a deleted file
	}
}

// Limits of TryLock: the maximum number of tries, and the pause after each
// try.
const (
	lockTries = 40
	lockPause = 5 * time.Millisecond
)

// TryLock locks a file, or returns ErrLocked if another process holds the lock. It
// retries for a short time, because some locks are held only briefly. For example, a
// command that calls IsLocked holds the lock during the call. A starting process
// holds the locks of its parent until the starting process executes its program.
func TryLock(name string) (*Lock, error) {
	for range lockTries {
		lock, err := lockFile(name, false)
		if !errors.Is(err, ErrLocked) {
			return lock, err
		}
		time.Sleep(lockPause)
	}
	return nil, ErrLocked
}

// IsLocked reports whether a process holds the lock. It briefly acquires a
// shared lock, which does not affect waiting processes.
func IsLocked(name string) (bool, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|noFollow|noWait, 0)
	if errors.Is(err, os.ErrNotExist) || isLink(err) { // lockFile reports a link
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("test lock: %w", err)
	}
	defer func() { _ = f.Close() }()
	err = flock(f, false, false)
	if errors.Is(err, ErrLocked) {
		return true, nil
	}
	if err != nil {
		return false, lockError(name, err)
	}
	return false, nil
}

// Release unlocks the file but does not remove it. The caller must call Release
// exactly once. If Release only closed the file, the file would stay locked
// while a starting process has a copy of the descriptor.
func (l *Lock) Release() {
	_ = unlock(l.File)
	_ = l.File.Close()
}

func lockError(name string, err error) error {
	if errors.Is(err, ErrLocked) {
		return err
	}
	return fmt.Errorf("lock %s: %w", name, err)
}

// SameFile reports whether the path name still refers to the open file f. It
// returns false if that cannot be determined, for example because the file was
// removed.
func SameFile(f *os.File, name string) bool {
	here, err := f.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(name)
	return err == nil && os.SameFile(here, there)
}
