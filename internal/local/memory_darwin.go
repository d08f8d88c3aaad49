package local

import "golang.org/x/sys/unix"

// memoryMB returns the memory of this machine in MiB, or 0 when unknown.
func memoryMB() int {
	size, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int(size >> 20)
}
