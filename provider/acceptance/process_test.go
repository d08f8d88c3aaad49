// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import "syscall"

// newGroup returns process attributes for a command that must lead its own
// process group. The test can then kill the command together with the
// provider that the command started.
func newGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func killGroup(pid int) error { return syscall.Kill(-pid, syscall.SIGKILL) }
