//go:build unix && !linux

package runtime

// oomKills is not to be had on this system.
func (t *task) oomKills() int { return 0 }
