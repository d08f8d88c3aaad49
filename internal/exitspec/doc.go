// SPDX-License-Identifier: MPL-2.0

// Package exitspec holds the exit specification: the exit codes, their meaning,
// whether a retry follows, and the log patterns that identify them. It also defines
// the exit record of a task.
//
// It is a leaf package: it imports only the standard library, and it is the
// only place with exit data. Package runtime collects the input for the
// analysis of a failed task; internal/framework applies the codes to retries.
package exitspec
