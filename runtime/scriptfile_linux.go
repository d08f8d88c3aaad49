// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"os"

	"golang.org/x/sys/unix"
)

// scriptFile returns an in-memory file. The shell opens the file again through
// /dev/fd/3, and therefore reads from the start.
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
