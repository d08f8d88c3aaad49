//go:build unix

package runtime

import "syscall"

// childrenUse is what the system counted of the processes that this one waited
// for, and the most memory that one of them had, in the unit of the system.
func childrenUse() (cpuSeconds float64, peakMemory int64) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0, 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, int64(u.Maxrss) //nolint:unconvert // 32 bits on some systems
}
