// SPDX-License-Identifier: MPL-2.0

//go:build unix

package ssh

import (
	"os"
	"syscall"
)

// Command is a process that a session requests.
type Command struct {
	Argv    []string // the first element is the path of the program
	Environ []string
	Dir     string
	Files   []*os.File // standard input, output and error
	// Terminal makes standard input the controlling terminal of the process. With
	// or without a terminal, the process leads a new session.
	Terminal bool
}

// Attributes returns the system attributes for starting the process.
func (c *Command) Attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Setctty: c.Terminal}
}

// Process is a running process.
type Process interface {
	// Wait returns the exit code, or the signal that ended the process.
	Wait() (code int, signal syscall.Signal)
	// Signal sends a signal to the process and its group.
	Signal(syscall.Signal)
}

// signalNames maps the signal names of the protocol (RFC 4254, section 6.10) to
// signals.
var signalNames = map[string]syscall.Signal{
	"ABRT": syscall.SIGABRT, "ALRM": syscall.SIGALRM, "FPE": syscall.SIGFPE, "HUP": syscall.SIGHUP,
	"ILL": syscall.SIGILL, "INT": syscall.SIGINT, "KILL": syscall.SIGKILL, "PIPE": syscall.SIGPIPE,
	"QUIT": syscall.SIGQUIT, "SEGV": syscall.SIGSEGV, "TERM": syscall.SIGTERM, "USR1": syscall.SIGUSR1,
	"USR2": syscall.SIGUSR2,
}

func signalName(s syscall.Signal) (string, bool) {
	for name, number := range signalNames {
		if number == s {
			return name, true
		}
	}
	return "", false
}
