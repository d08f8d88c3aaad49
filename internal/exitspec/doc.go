// SPDX-License-Identifier: MPL-2.0

// Package exitspec holds the exit specification: the exit codes, their meanings,
// whether they cause a retry, and the log patterns that identify them. It also
// defines the exit record of a task.
//
// It is the only package that contains exit data. Package runtime collects the
// input for the analysis of a failed task. internal/framework applies the codes to
// retries.
package exitspec
