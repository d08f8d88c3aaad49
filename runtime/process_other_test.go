// SPDX-License-Identifier: MPL-2.0

//go:build unix && !linux

package runtime

import "syscall"

// processRuns reports whether a process exists.
func processRuns(pid int) bool { return syscall.Kill(pid, 0) == nil }
