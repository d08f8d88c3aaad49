// SPDX-License-Identifier: MPL-2.0

package local

import "golang.org/x/sys/unix"

// memoryMB returns the memory of the local machine in MiB, or 0 if unknown.
func memoryMB() int {
	size, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int(size >> 20)
}
