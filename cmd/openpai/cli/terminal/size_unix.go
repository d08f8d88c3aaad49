//go:build unix

package terminal

import (
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownsTerminal reports whether this process may redraw its terminal: it is in
// the foreground, so that no shell writes there.
func ownsTerminal(f *os.File) bool {
	group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}

// OnResume calls an action whenever the process continues after it was
// suspended, until stop is called.
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
