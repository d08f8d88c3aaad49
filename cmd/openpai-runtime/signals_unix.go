//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
)

// forwarded are the signals that the program takes: SIGTERM, SIGINT and
// SIGQUIT stop the task, the others are passed on to its script. Signals that
// report an error of the program itself, or that it needs, keep their meaning.
var forwarded = []os.Signal{
	syscall.SIGTERM, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2,
	syscall.SIGALRM, syscall.SIGWINCH, syscall.SIGCONT, syscall.SIGTSTP, syscall.SIGTTIN, syscall.SIGTTOU,
	syscall.SIGIO, syscall.SIGXCPU, syscall.SIGXFSZ, syscall.SIGVTALRM,
}

// keepSIGPIPE makes a write to a standard output that nobody reads an error
// and not the end of the program. Scripts get the signal as ever.
func keepSIGPIPE() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }
