// SPDX-License-Identifier: MPL-2.0

package runtime

import "syscall"

// groupLeader makes a process lead its own group. The kernel also kills the shell
// when the runtime is killed, because no process would record the shell's result.
func groupLeader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// setParentDeathSignal makes the kernel kill a session leader when the runtime
// is killed.
func setParentDeathSignal(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
