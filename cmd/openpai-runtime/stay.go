// SPDX-License-Identifier: MPL-2.0

package main

import (
	"os"
	"syscall"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// minUptime is the minimum lifetime of a container. FrameworkController deletes the
// Pod of a task as soon as the task ends. The minimum lifetime gives a client that
// follows the log enough time to open it. After that, the client can read the log
// to its end.
const minUptime = 3 * time.Second

// stay waits until the container has run for minUptime. A stop signal ends the wait.
// stay does not wait if logs are stored elsewhere.
func stay(started time.Time, getenv func(string) string, signals <-chan os.Signal) {
	if getenv(contract.EnvLogsStored) != "" {
		return
	}
	over := time.NewTimer(minUptime - time.Since(started))
	defer over.Stop()
	for {
		select {
		case <-over.C:
			return
		case s := <-signals:
			if s == syscall.SIGTERM || s == os.Interrupt || s == syscall.SIGQUIT {
				return
			}
		}
	}
}

// stayAfterInit calls stay if the init container failed. If it succeeded, the
// task starts, and clients follow the log of the task instead.
func stayAfterInit(code int, started time.Time, getenv func(string) string, signals <-chan os.Signal) {
	if code != 0 {
		stay(started, getenv, signals)
	}
}
