//go:build unix && !linux

package runtime

// used returns the CPU time of the processes of the task, and the most memory that
// one of them had, which this system counts in bytes.
func used() (cpuSeconds float64, peakMemoryBytes int64) { return childrenUse() }
