//go:build unix

package ssh

import (
	"os"
	"syscall"
)

// Command is a process that a session asks for.
type Command struct {
	Argv    []string // the first is the path of the program
	Environ []string
	Dir     string
	Files   []*os.File // standard input, output and error
	// Terminal makes the standard input the process's terminal. The process
	// leads its own session in any case.
	Terminal bool
}

// Attributes are what the process is started with.
func (c *Command) Attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Setctty: c.Terminal}
}

// Process is one that runs.
type Process interface {
	// Wait returns the exit code, or the number of the signal that ended the
	// process.
	Wait() (code int, signal syscall.Signal)
	// Signal sends to the process and those of its group.
	Signal(syscall.Signal)
}

// signalNames are those of the protocol (RFC 4254, section 6.10).
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
