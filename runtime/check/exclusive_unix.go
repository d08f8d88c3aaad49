// SPDX-License-Identifier: MPL-2.0

//go:build unix

package check

import "syscall"

// exclusive disables address reuse, which Go enables by default. The check
// must fail if another program uses the address.
func exclusive(_, _ string, raw syscall.RawConn) error {
	var err error
	if controlErr := raw.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 0)
	}); controlErr != nil {
		return controlErr
	}
	return err
}
