// SPDX-License-Identifier: MPL-2.0

//go:build acc

package apitest

import "syscall"

// child puts a program into a separate process group. It kills the program when this
// process ends for any reason, because a test that times out does not call Stop.
func child() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
