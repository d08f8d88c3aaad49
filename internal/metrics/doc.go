// SPDX-License-Identifier: MPL-2.0

// Package metrics reads the metrics that a task reports. The metrics are lines of
// JSON that programs of the task append to a file. It defines the format of the
// metrics, and the limits. It also defines the line with which the runtime's log
// reports the values while the task is running.
//
// The task controls the file, so this package does not trust the content. It
// ignores all data beyond the limits. internal/cluster collects the values of a
// job.
//
// It imports only the standard library and leaf packages.
package metrics
