package runtime

import "syscall"

// groupLeader makes a process lead its own group. A shell does not outlive a
// runtime that is killed: nothing would record what it does.
func groupLeader() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// setParentDeathSignal does the same for a process that leads a session.
func setParentDeathSignal(a *syscall.SysProcAttr) { a.Pdeathsig = syscall.SIGKILL }
