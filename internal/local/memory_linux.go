// SPDX-License-Identifier: MPL-2.0

package local

import "golang.org/x/sys/unix"

// memoryMB returns the memory of the local machine in MiB, or 0 if unknown.
func memoryMB() int {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return int(uint64(info.Totalram) * uint64(info.Unit) >> 20) //nolint:unconvert // 32 bits wide on some machines
}
