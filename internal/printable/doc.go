// SPDX-License-Identifier: MPL-2.0

// Package printable makes untrusted strings safe to print. Text from a log, a
// server or a file must not move the cursor, change colors or hide output. Escape
// replaces special characters with escapes. Line returns a line of output,
// formatted as a terminal would show it. The package does not hide secrets; see
// internal/redact.
package printable
