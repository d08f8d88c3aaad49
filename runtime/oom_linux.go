// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// oomKills returns the number of OOM kills in the runtime's own memory cgroup.
// It returns 0 if the system does not report the number.
func oomKills() int {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		switch parts[1] {
		case "":
			return oomCount("/sys/fs/cgroup", parts[2], "memory.events")
		case "memory":
			return oomCount("/sys/fs/cgroup/memory", parts[2], "memory.oom_control")
		}
	}
	return 0
}

// oomCount reads the counter of a cgroup. In a container, the cgroup is the root of
// the visible hierarchy.
func oomCount(root, group, file string) int {
	text, err := os.ReadFile(filepath.Join(root, group, file))
	if err != nil {
		text, err = os.ReadFile(filepath.Join(root, file))
	}
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if n, ok := strings.CutPrefix(strings.TrimSpace(line), "oom_kill "); ok {
			count, _ := strconv.Atoi(n)
			return count
		}
	}
	return 0
}
