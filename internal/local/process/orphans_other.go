// SPDX-License-Identifier: MPL-2.0

//go:build !linux

package process

// CanAdoptOrphans reports whether this system can make orphaned descendants
// children of a process.
const CanAdoptOrphans = false

// AdoptOrphans does nothing: only Linux supports it.
func AdoptOrphans() error { return nil }

// Orphans returns none; see [AdoptOrphans].
func Orphans(func(pid int) bool) ([]int, error) { return nil, nil }
