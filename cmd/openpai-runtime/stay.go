package main

import (
	"os"
	"syscall"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/contract"
)

// minUptime is how long a container lives at least. FrameworkController deletes
// the Pod of a task as soon as it has ended; whoever follows the log opens it
// within this time, and an open log is read to its end.
const minUptime = 3 * time.Second

// stay waits until a container that started at a time has lived for minLife. A
// request to stop ends the wait. Logs that are stored need none.
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

// stayAfterInit is stay for the init container. Only a failure is followed: the
// task comes after a success, and its log is another one.
func stayAfterInit(code int, started time.Time, getenv func(string) string, signals <-chan os.Signal) {
	if code != 0 {
		stay(started, getenv, signals)
	}
}
