package runtime

import (
	"os"

	"golang.org/x/sys/unix"
)

// enlargePipe makes a pipe hold more, where the system permits it: fewer switches
// between a script that prints a lot and us.
func enlargePipe(f *os.File) {
	if raw, err := f.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, pipeSize) })
	}
}

// scriptFile returns a file that holds the text in memory and that a shell can
// read from the start.
func scriptFile(text string) (*os.File, error) {
	fd, err := unix.MemfdCreate("script", unix.MFD_CLOEXEC)
	if err != nil {
		return scriptPipe(text)
	}
	f := os.NewFile(uintptr(fd), "script")
	if _, err := f.WriteString(text); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
