// SPDX-License-Identifier: MPL-2.0

//go:build linux || darwin

package process

import (
	"errors"
	"syscall"
)

// Supported reports whether this system supports the local cluster.
const Supported = true

// NewSession returns the attributes to start a process in a new session. The process
// outlives its terminal and the command that started it, and does not receive
// signals sent to them.
func NewSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// Terminate sends SIGTERM to a process. If the process has already ended,
// Terminate does not return an error.
func Terminate(pid int) error { return send(pid, syscall.SIGTERM) }

// Kill sends SIGKILL to a process.
func Kill(pid int) error { return send(pid, syscall.SIGKILL) }

func send(pid int, s syscall.Signal) error {
	err := syscall.Kill(pid, s)
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}
