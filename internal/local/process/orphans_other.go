// SPDX-License-Identifier: MPL-2.0

//go:build !linux

package process

// CanAdoptOrphans reports whether this system lets a process adopt orphaned
// descendants.
const CanAdoptOrphans = false

// AdoptOrphans does nothing, because only Linux supports it.
func AdoptOrphans() error { return nil }

// Orphans always returns nil, because only Linux supports [AdoptOrphans].
func Orphans(func(pid int) bool) ([]int, error) { return nil, nil }
