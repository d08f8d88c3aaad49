// SPDX-License-Identifier: MPL-2.0

// Package metrics reads the metrics that a task reports. Programs in the task
// append the metrics to a file, as lines of JSON. The package defines the format
// of the metrics, and the limits. It also defines the log line in which the
// runtime reports values of running tasks.
//
// The task controls the file, so this package does not trust its content. It
// ignores all data beyond the limits. internal/cluster collects the values of a
// job.
//
// Package metrics imports only the standard library and leaf packages.
package metrics
