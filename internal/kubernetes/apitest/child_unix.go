// SPDX-License-Identifier: MPL-2.0

//go:build acc && unix && !linux

package apitest

import "syscall"

// child returns attributes that start a program in a separate process group.
// Only Linux can kill the program automatically when this process ends.
func child() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
