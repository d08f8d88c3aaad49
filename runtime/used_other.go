// SPDX-License-Identifier: MPL-2.0

//go:build unix && !linux

package runtime

// used returns the CPU time of all processes and the peak memory of the
// largest process. This system reports memory in bytes.
func used() (cpuSeconds float64, peakMemoryBytes int64) { return childrenUse() }
