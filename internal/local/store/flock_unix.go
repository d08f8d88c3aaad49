// SPDX-License-Identifier: MPL-2.0

//go:build linux || darwin

package store

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Flags to open files. With noFollow, opening a symbolic link fails. With noWait,
// opening a pipe returns immediately, even if no other process has opened the
// pipe.
const (
	noFollow = unix.O_NOFOLLOW
	noWait   = unix.O_NONBLOCK
)

// isLink reports whether opening a file failed because of noFollow.
func isLink(err error) bool { return errors.Is(err, unix.ELOOP) }

func flock(f *os.File, exclusive, wait bool) error {
	how := unix.LOCK_SH
	if exclusive {
		how = unix.LOCK_EX
	}
	if !wait {
		how |= unix.LOCK_NB
	}
	for {
		err := unix.Flock(int(f.Fd()), how)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrLocked
		default:
			return err
		}
	}
}

func unlock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) }
