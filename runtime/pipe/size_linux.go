// SPDX-License-Identifier: MPL-2.0

package pipe

import (
	"os"

	"golang.org/x/sys/unix"
)

// enlarge increases the capacity of a pipe if permitted. A larger capacity
// reduces context switches for scripts that print a lot.
func enlarge(f *os.File) {
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, size) })
	}
}
