package pipe

import (
	"os"

	"golang.org/x/sys/unix"
)

// enlarge makes a pipe hold more, where the system permits it: fewer switches
// between a script that prints a lot and us.
func enlarge(f *os.File) {
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, size) })
	}
}
