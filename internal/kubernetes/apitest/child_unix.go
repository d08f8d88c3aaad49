// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix && !linux

package apitest

import "syscall"

// child puts a program into a separate process group. Only Linux can kill the
// program when this process ends.
func child() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
