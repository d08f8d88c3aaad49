// SPDX-License-Identifier: MPL-2.0

//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// onResize calls action after every change to the terminal size, until stop is called.
func onResize(action func()) (stop func()) {
	changed := make(chan os.Signal, 1)
	signal.Notify(changed, syscall.SIGWINCH)
	go func() {
		for range changed {
			action()
		}
	}()
	return func() {
		signal.Stop(changed)
		close(changed)
	}
}
