//go:build acc && unix && !linux

package apitest

import "syscall"

// child puts a program into its own process group. Systems other than
// Linux have no way to end it with this process.
func child() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
