// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix

package acceptance

import "syscall"

// newGroup starts a command as the leader of a process group, so that it can
// be killed together with the provider that it started.
func newGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

func killGroup(pid int) error { return syscall.Kill(-pid, syscall.SIGKILL) }
