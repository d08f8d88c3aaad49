//go:build acc

package apitest

import "syscall"

// child puts a program into its own process group, and lets it die with
// this process, however that ends: a test that runs into its time limit calls
// no Stop.
func child() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
