package local

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

var errEnded = errors.New("the process has ended")

// The states of sys/proc.h: SSTOP and SZOMB.
const (
	halted = 4
	zombie = 5
)

func processStart(pid int) (string, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return "", err
	}
	if int(info.Proc.P_pid) != pid || info.Proc.P_stat == zombie {
		return "", errEnded
	}
	start := info.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", start.Sec, start.Usec), nil
}

// suspended reports whether a signal or a debugger keeps a process from running.
func suspended(pid int) bool {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	return err == nil && int(info.Proc.P_pid) == pid && info.Proc.P_stat == halted
}

func bootID() (string, error) { return unix.Sysctl("kern.bootsessionuuid") }

// members returns the pids of a task's session. The environment of other
// processes cannot be read here, so those that made a session of their own
// are not found.
func members(session int, _ string) ([]int, error) {
	all, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var found []int
	for _, info := range all {
		pid := int(info.Proc.P_pid)
		if pid == os.Getpid() || info.Proc.P_stat == zombie || session <= 0 {
			continue
		}
		if sid, err := unix.Getsid(pid); err == nil && sid == session {
			found = append(found, pid)
		}
	}
	return found, nil
}

// memoryMB returns the memory of this machine in MiB, or 0 when unknown.
func memoryMB() int {
	size, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0
	}
	return int(size >> 20)
}
