// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import "syscall"

// newGroup returns attributes that make a command the leader of a process
// group. Tests can then kill the command together with its provider.
func newGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func killGroup(pid int) error { return syscall.Kill(-pid, syscall.SIGKILL) }
