//go:build linux || darwin

package process

import (
	"errors"
	"syscall"
)

// Supported says that the local cluster works on this system.
const Supported = true

// NewSession starts a process in its own session: it outlives the
// terminal and the command that started it, and gets none of their signals.
func NewSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// Terminate asks a process to end. That it has ended already is no error.
func Terminate(pid int) error { return send(pid, syscall.SIGTERM) }

// Kill ends a process at once.
func Kill(pid int) error { return send(pid, syscall.SIGKILL) }

func send(pid int, s syscall.Signal) error {
	err := syscall.Kill(pid, s)
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}
