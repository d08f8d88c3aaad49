//go:build !unix

package terminal

import "os"

// ownsTerminal is true: only Unix suspends programs.
func ownsTerminal(*os.File) bool { return true }

// OnResume does nothing.
func OnResume(func()) (stop func()) { return func() {} }
