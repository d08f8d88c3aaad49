// SPDX-License-Identifier: MPL-2.0

//go:build unix

package terminal

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownsTerminal reports whether this process is in the foreground. Otherwise, a
// shell writes to the terminal.
func ownsTerminal(f *os.File) bool {
	group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}

// OnResume calls action each time the process resumes after a suspension, until stop
// is called.
func OnResume(action func()) (stop func()) {
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, syscall.SIGCONT)
	go func() {
		for range resumed {
			action()
		}
	}()
	return func() {
		signal.Stop(resumed)
		close(resumed)
	}
}
