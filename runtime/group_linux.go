// SPDX-License-Identifier: MPL-2.0

package runtime

import "syscall"

// groupLeader makes a process the leader of a new group. If the runtime is killed,
// the kernel also kills this process: the runtime can no longer record the result.
func groupLeader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// setParentDeathSignal makes the kernel kill a session leader when the runtime
// is killed.
func setParentDeathSignal(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
