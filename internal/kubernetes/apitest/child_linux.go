// SPDX-License-Identifier: MPL-2.0

//go:build acc

package apitest

import "syscall"

// child returns attributes that start a program in a separate process group. The
// kernel kills the program when this process ends, for example if a test times
// out without calling Stop.
func child() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
