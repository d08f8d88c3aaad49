// SPDX-License-Identifier: MPL-2.0

//go:build unix && !linux

package runtime

import "syscall"

// groupLeader makes a process lead its own group.
func groupLeader() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// groupRuns reports whether the group exists; it cannot detect zombies.
func groupRuns(int) bool { return true }

// setParentDeathSignal does nothing: only Linux supports it. On other systems a
// session outlives a killed runtime.
func setParentDeathSignal(*syscall.SysProcAttr) {}
