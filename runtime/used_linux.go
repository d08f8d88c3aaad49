// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// used returns the CPU time and peak memory of the task's processes. In a
// container, where the runtime is process 1, both values come from the cgroup, and
// the memory includes the page cache. Otherwise, the memory is the largest peak of
// any single process.
func used() (cpuSeconds float64, peakMemoryBytes int64) {
	if os.Getpid() == 1 {
		if cpu, memory, ok := groupUse("/sys/fs/cgroup"); ok {
			return cpu, memory
		}
	}
	cpuSeconds, kB := childrenUse()
	return cpuSeconds, kB * 1024
}

// groupUse reads the counters of the container's cgroup, which is the root of the
// visible hierarchy. The result ok is false if a counter is missing: older
// systems do not record the peak.
func groupUse(root string) (cpuSeconds float64, peakMemoryBytes int64, ok bool) {
	peak, err := os.ReadFile(filepath.Join(root, "memory.peak"))
	if err != nil {
		return groupUseV1(root)
	}
	memory, err := strconv.ParseInt(strings.TrimSpace(string(peak)), 10, 64)
	if err != nil {
		return 0, 0, false
	}
	stat, err := os.ReadFile(filepath.Join(root, "cpu.stat"))
	if err != nil {
		return 0, 0, false
	}
	for line := range strings.Lines(string(stat)) {
		if text, found := strings.CutPrefix(strings.TrimSpace(line), "usage_usec "); found {
			n, err := strconv.ParseInt(text, 10, 64)
			return float64(n) / 1e6, memory, err == nil
		}
	}
	return 0, 0, false
}

// groupUseV1 is like groupUse, but for cgroup v1.
func groupUseV1(root string) (cpuSeconds float64, peakMemoryBytes int64, ok bool) {
	var counts [2]int64
	for i, file := range []string{"cpuacct/cpuacct.usage", "memory/memory.max_usage_in_bytes"} {
		text, err := os.ReadFile(filepath.Join(root, file))
		if err != nil {
			return 0, 0, false
		}
		if counts[i], err = strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err != nil {
			return 0, 0, false
		}
	}
	return float64(counts[0]) / 1e9, counts[1], true
}
