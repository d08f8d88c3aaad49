// SPDX-License-Identifier: MPL-2.0

package process

import (
	"bytes"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Process states from sys/proc.h: SSTOP and SZOMB.
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
		return "", ErrEnded
	}
	start := info.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", start.Sec, start.Usec), nil
}

// flagExiting is P_WEXIT from sys/proc.h.
const flagExiting = 0x2000

// exiting reports whether a process is ending. The process may already have
// released its locks, but is not a zombie yet.
func exiting(pid int) bool {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	return err == nil && int(info.Proc.P_pid) == pid && info.Proc.P_flag&flagExiting != 0
}

// Suspended reports whether a process is stopped by a signal or a debugger.
func Suspended(pid int) bool {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	return err == nil && int(info.Proc.P_pid) == pid && info.Proc.P_stat == halted
}

// BootID returns an ID that changes with each boot. A PID refers to the same
// process only under the same BootID.
func BootID() (string, error) { return unix.Sysctl("kern.bootsessionuuid") }

// HasEnvironment reports whether a process was started with the environment entry
// NAME=VALUE.
func HasEnvironment(pid int, entry string) bool { return started(pid, entry) }

// HasArgument reports whether a process was started with the argument.
func HasArgument(pid int, argument string) bool { return started(pid, argument) }

// started reports whether text is an argument or environment entry of a
// process. The system returns both in one list.
func started(pid int, text string) bool {
	list, err := unix.SysctlRaw("kern.procargs2", pid)
	return err == nil && bytes.Contains(list, []byte("\x00"+text+"\x00"))
}

// Members returns the PIDs of the processes in a task's session. Members does
// not find processes with their own session: macOS does not permit reads of
// their environment.
func Members(session int, _ string) ([]int, error) {
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
