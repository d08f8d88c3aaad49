// SPDX-License-Identifier: MPL-2.0

//go:build unix

package runtime

import "syscall"

// childrenUse returns the resource usage of the child processes for which
// this process has waited. cpuSeconds is the total; peakMemory is the largest
// value of a single child. The unit of peakMemory depends on the operating
// system.
func childrenUse() (cpuSeconds float64, peakMemory int64) {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u) != nil {
		return 0, 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9, int64(u.Maxrss) //nolint:unconvert // 32 bits on some systems
}
