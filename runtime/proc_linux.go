// SPDX-License-Identifier: MPL-2.0

package runtime

import (
	"bytes"
	"iter"
	"os"
	"strconv"
)

// procStat is the content of /proc/PID/stat.
type procStat struct {
	pid, parent, group int
	state              byte // 'Z' for a zombie
}

// processes returns all visible processes.
func processes() iter.Seq[procStat] {
	return func(yield func(procStat) bool) {
		proc, err := os.Open("/proc")
		if err != nil {
			return
		}
		defer func() { _ = proc.Close() }()
		names, _ := proc.Readdirnames(-1)
		for _, name := range names {
			pid, err := strconv.Atoi(name)
			if err != nil {
				continue
			}
			if p, ok := readStat(pid); ok && !yield(p) {
				return
			}
		}
	}
}

// readStat reads /proc/PID/stat. It parses the fields after the process name,
// which is in parentheses and may contain any character.
func readStat(pid int) (p procStat, ok bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return p, false
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	if len(fields) < 3 {
		return p, false
	}
	p.pid, p.state = pid, fields[0][0]
	p.parent, _ = strconv.Atoi(string(fields[1]))
	p.group, _ = strconv.Atoi(string(fields[2]))
	return p, true
}

// groupRuns reports whether a process group has running members. It ignores
// zombies, because process 1 may take time to reap them.
func groupRuns(group int) bool {
	for p := range processes() {
		if p.group == group && p.state != 'Z' && p.state != 'X' {
			return true
		}
	}
	return false
}

// childrenOf lists the processes whose parent is pid.
func childrenOf(pid int) []int {
	var found []int
	for p := range processes() {
		if p.parent == pid {
			found = append(found, p.pid)
		}
	}
	return found
}
