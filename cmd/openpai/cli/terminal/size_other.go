// SPDX-License-Identifier: MPL-2.0

//go:build !unix

package terminal

import "os"

// ownsTerminal returns true, because only Unix systems suspend programs.
func ownsTerminal(*os.File) bool { return true }

// OnResume does nothing, because only Unix systems suspend programs.
func OnResume(func()) (stop func()) { return func() {} }
