//go:build linux || darwin

package local

import (
	"errors"
	"syscall"
)

// supported says that the local cluster works on this system.
const supported = true

// ownSession starts a process in a session of its own: it outlives the
// terminal and the command that started it, and gets none of their signals.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// terminate asks a process to end. That it has ended already is no error.
func terminate(pid int) error { return send(pid, syscall.SIGTERM) }

// kill ends a process at once.
func kill(pid int) error { return send(pid, syscall.SIGKILL) }

func send(pid int, s syscall.Signal) error {
	err := syscall.Kill(pid, s)
	if errors.Is(err, syscall.ESRCH) {
		return nil
	}
	return err
}
