// SPDX-License-Identifier: MPL-2.0

//go:build !unix

package terminal

import "os"

// ownsTerminal returns true: only Unix suspends programs.
func ownsTerminal(*os.File) bool { return true }

// OnResume does nothing: only Unix suspends programs.
func OnResume(func()) (stop func()) { return func() {} }
