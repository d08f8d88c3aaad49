// SPDX-License-Identifier: MPL-2.0

// Package shellquote quotes strings as words of a POSIX shell. It does not parse
// shell text. runtime/exports parses the variables that a shell exports, and
// runtime/initialize splits commands.
package shellquote
