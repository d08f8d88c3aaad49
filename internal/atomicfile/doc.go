// Package atomicfile writes files so that a reader sees the old content or the
// new one, never a part, also after a crash or power loss.
//
// It is a leaf: standard library only.
package atomicfile
