// SPDX-License-Identifier: MPL-2.0

package process

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Fields of /proc/<pid>/stat after the name in parentheses, counted from 0.
// Source: proc_pid_stat(5).
const (
	statState   = 0
	statParent  = 1
	statSession = 3
	statFlags   = 6
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

// ended reports whether all threads of a process have ended. The process holds
// files and locks until the last thread ends, possibly long after the first
// thread.
func ended(fields []string) bool {
	return fields[statState] == "X" || fields[statState] == "Z" && fields[statThreads] == "1"
}

// flagExiting is set in the flags of a thread that is ending. Source: PF_EXITING in
// linux/sched.h.
const flagExiting = 0x4

// exiting reports whether all threads are ending or have ended. The process may
// already have released its locks, but is not a zombie yet.
func exiting(pid int) bool {
	if first, err := stat(pid); err == nil && !hasFlag(first, flagExiting) {
		return false // the usual case: the process is running
	}
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	for _, name := range threads {
		fields, statErr := readStat(name)
		if statErr == nil && !hasFlag(fields, flagExiting) {
			return false
		}
	}
	return err == nil
}

func hasFlag(fields []string, flag uint64) bool {
	flags, err := strconv.ParseUint(fields[statFlags], 10, 64)
	return err == nil && flags&flag != 0
}

func stat(pid int) ([]string, error) { return readStat(fmt.Sprintf("/proc/%d/stat", pid)) }

func readStat(name string) ([]string, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	// The process name can contain spaces and parentheses. It ends at the last
	// closing parenthesis.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) <= statStart {
		return nil, fmt.Errorf("%s has %d fields", name, len(fields))
	}
	return fields, nil
}

// Suspended reports whether a process is stopped by a signal or a debugger.
func Suspended(pid int) bool {
	fields, err := stat(pid)
	return err == nil && (fields[statState] == "T" || fields[statState] == "t")
}

// BootID returns an ID that changes with each boot. A PID refers to the same
// process only under the same BootID.
func BootID() (string, error) {
	text, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(text)), err
}

// Members returns the PIDs of processes in a task's session or with the Pod UID
// in the environment. The environment identifies a process that has created its
// own session.
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

// HasEnvironment reports whether a process was started with the environment entry
// NAME=VALUE.
func HasEnvironment(pid int, entry string) bool {
	return contains(fmt.Sprintf("/proc/%d/environ", pid), entry)
}

// HasArgument reports whether a process was started with the argument.
func HasArgument(pid int, argument string) bool {
	return contains(fmt.Sprintf("/proc/%d/cmdline", pid), argument)
}

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
