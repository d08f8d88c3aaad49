package local

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

var errEnded = errors.New("the process has ended")

// The fields of /proc/<pid>/stat after the name in parentheses, counted from
// 0. Source: proc_pid_stat(5).
const (
	statState   = 0
	statSession = 3
	statThreads = 17
	statStart   = 19
)

// processStart returns the start time in clock ticks since boot.
func processStart(pid int) (string, error) {
	fields, err := stat(pid)
	if err != nil {
		return "", err
	}
	if ended(fields) {
		return "", errEnded
	}
	return fields[statStart], nil
}

// ended reports whether nothing of a process runs any more. Its first thread
// may end long before the others, and it holds files and locks until the last.
func ended(fields []string) bool {
	return fields[statState] == "X" || fields[statState] == "Z" && fields[statThreads] == "1"
}

func stat(pid int) ([]string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil, err
	}
	// The name may hold spaces and parentheses; the last one ends it.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) <= statStart {
		return nil, fmt.Errorf("/proc/%d/stat has %d fields", pid, len(fields))
	}
	return fields, nil
}

// suspended reports whether a signal or a debugger keeps a process from running.
func suspended(pid int) bool {
	fields, err := stat(pid)
	return err == nil && (fields[statState] == "T" || fields[statState] == "t")
}

func bootID() (string, error) {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(text)), err
}

// members returns the pids of what belongs to a task: its session, and every
// process that has its Pod UID in the environment, which it keeps when it
// makes a session of its own.
func members(session int, podUID string) ([]int, error) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	defer func() { _ = proc.Close() }()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var found []int
	mark := []byte("FC_POD_UID=" + podUID + "\x00")
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == os.Getpid() {
			continue
		}
		if inSession(pid, session) || marked(pid, mark) {
			found = append(found, pid)
		}
	}
	return found, nil
}

func inSession(pid, session int) bool {
	fields, err := stat(pid)
	if err != nil || session <= 0 {
		return false
	}
	return fields[statSession] == strconv.Itoa(session) && !ended(fields)
}

func marked(pid int, mark []byte) bool {
	environ, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil || !bytes.Contains(environ, mark) {
		return false
	}
	_, err = processStart(pid)
	return err == nil
}

// memoryMB returns the memory of this machine in MiB, or 0 when unknown.
func memoryMB() int {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0
	}
	return int(uint64(info.Totalram) * uint64(info.Unit) >> 20) //nolint:unconvert // 32 bits wide on some machines
}
