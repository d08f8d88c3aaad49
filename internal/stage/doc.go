// SPDX-License-Identifier: MPL-2.0

// Package stage defines how a task reports its current activity. The runtime writes
// a record to a file. For readers that cannot access the file, it also writes the
// record to the log.
//
// Stages are only for information. The user's commands can also print a stage line,
// so decisions must not depend on stages.
//
// The package imports only the standard library and leaf packages.
package stage
