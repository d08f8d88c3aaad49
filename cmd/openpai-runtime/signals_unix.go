// SPDX-License-Identifier: MPL-2.0

//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// forwarded lists the signals that the program handles. SIGTERM, SIGINT and SIGQUIT
// stop the task; the program forwards the other signals to the task's script. Signals
// that report an error of the program itself, or that the Go runtime needs, keep their
// default action.
var forwarded = []os.Signal{
	syscall.SIGTERM, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2,
	syscall.SIGALRM, syscall.SIGWINCH, syscall.SIGCONT, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU,
	syscall.SIGIO, syscall.SIGXCPU, syscall.SIGXFSZ, syscall.SIGVTALRM,
}

// keepSIGPIPE makes a write to a closed standard output return an error. By default,
// SIGPIPE would end the program. Scripts still receive SIGPIPE.
func keepSIGPIPE() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
