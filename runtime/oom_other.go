// SPDX-License-Identifier: MPL-2.0

//go:build unix && !linux

package runtime

// oomKills returns 0, because this operating system does not report OOM
// kills.
func oomKills() int { return 0 }
