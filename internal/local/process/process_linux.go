package process

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// The fields of /proc/<pid>/stat after the name in parentheses, counted from
// 0. Source: proc_pid_stat(5).
const (
	statState   = 0
	statParent  = 1
	statSession = 3
	statThreads = 17
	statStart   = 19
)

// processStart returns the start time in clock ticks since boot.
func processStart(pid int) (string, error) {
	fields, err := stat(pid)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return "", ErrEnded
	}
	if err != nil {
		return "", err
	}
	if ended(fields) {
		return "", ErrEnded
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

// Suspended reports whether a signal or a debugger keeps a process from running.
func Suspended(pid int) bool {
	fields, err := stat(pid)
	return err == nil && (fields[statState] == "T" || fields[statState] == "t")
}

// BootID identifies the time since the machine booted: it changes with each
// boot, so a pid means the same process only under the same BootID.
func BootID() (string, error) {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(text)), err
}

// Members returns the pids of what belongs to a task: its session, and every
// process that has its Pod UID in the environment, which it keeps when it
// makes its own session.
func Members(session int, podUID string) ([]int, error) {
	all, err := pids()
	if err != nil {
		return nil, err
	}
	var found []int
	for _, pid := range all {
		if pid == os.Getpid() {
			continue
		}
		if inSession(pid, session) || podUID != "" && marked(pid, podUID) {
			found = append(found, pid)
		}
	}
	return found, nil
}

// pids lists all processes.
func pids() ([]int, error) {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	defer func() { _ = proc.Close() }()
	names, err := proc.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	all := make([]int, 0, len(names))
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			all = append(all, pid)
		}
	}
	return all, nil
}

// HasEnvironment reports whether a process was started with that entry,
// NAME=VALUE, in its environment.
func HasEnvironment(pid int, entry string) bool {
	return contains(fmt.Sprintf("/proc/%d/environ", pid), entry)
}

// HasArgument reports whether a process was started with that argument.
func HasArgument(pid int, argument string) bool {
	return contains(fmt.Sprintf("/proc/%d/cmdline", pid), argument)
}

// contains reports whether a file has an element, each of which a zero byte
// ends.
func contains(name, element string) bool {
	text, err := os.ReadFile(name)
	return err == nil && bytes.Contains(append([]byte{0}, text...), []byte("\x00"+element+"\x00"))
}

func inSession(pid, session int) bool {
	fields, err := stat(pid)
	if err != nil || session <= 0 {
		return false
	}
	return fields[statSession] == strconv.Itoa(session) && !ended(fields)
}

func marked(pid int, podUID string) bool {
	if !HasEnvironment(pid, Mark(podUID)) {
		return false
	}
	_, err := processStart(pid)
	return err == nil
}
