// SPDX-License-Identifier: MPL-2.0

// Package stage describes the current activity of a task: the record that the
// runtime keeps in a file, and the log line with the same content for readers
// that cannot access the file.
//
// A stage is only informational. The user's commands can also print such a
// line, so nothing may depend on it.
//
// It is a leaf: standard library and other leaves only.
package stage
