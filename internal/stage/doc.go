// SPDX-License-Identifier: MPL-2.0

// Package stage defines how a task reports its current activity: in a record
// that the runtime keeps in a file, and in a log line with the same content for
// readers that cannot access the file.
//
// A stage is only informational. The user's commands can also print a stage line, so
// decisions must not depend on stages.
//
// It is a leaf package: it imports only the standard library and other leaf
// packages.
package stage
