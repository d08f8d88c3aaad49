// SPDX-License-Identifier: MPL-2.0

//go:build unix && !linux

package runtime

import "syscall"

// groupLeader makes a process the leader of a new group.
func groupLeader() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// groupRuns reports whether the group exists. It cannot detect zombies.
func groupRuns(int) bool { return true }

// setParentDeathSignal does nothing, because only Linux supports parent death
// signals. On other systems, a session outlives a killed runtime.
func setParentDeathSignal(*syscall.SysProcAttr) {}
