//go:build !linux

package process

// CanAdoptOrphans says that orphans below a process can be made its children.
const CanAdoptOrphans = false

// AdoptOrphans does nothing: only Linux can.
func AdoptOrphans() error { return nil }

// Orphans returns none; see [AdoptOrphans].
func Orphans(func(pid int) bool) ([]int, error) { return nil, nil }
