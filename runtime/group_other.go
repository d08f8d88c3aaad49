//go:build unix && !linux

package runtime

import "syscall"

// groupLeader makes a process lead its own group.
func groupLeader() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// groupRuns takes a group that exists for one that runs.
func groupRuns(int) bool { return true }

// setParentDeathSignal needs Linux: elsewhere a session outlives a runtime that is
// killed.
func setParentDeathSignal(*syscall.SysProcAttr) {}
