// SPDX-License-Identifier: MPL-2.0

// Package atomicfile writes files atomically: a reader sees either the old or
// the new content, even after a crash or power loss.
//
// It is a leaf: standard library only.
package atomicfile
