// SPDX-License-Identifier: MPL-2.0

// Package atomicfile writes files atomically. A reader sees either the old or
// the new content, even after a crash or power loss.
//
// It imports only the standard library.
package atomicfile
