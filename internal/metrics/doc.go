// SPDX-License-Identifier: MPL-2.0

// Package metrics reads the metrics that a task reports: lines of JSON that its
// programs append to a file. It defines the format, its limits, and the line of
// the runtime's log that carries the values while the task runs.
//
// The task controls the file, so its content is not trusted: everything beyond
// the limits is ignored. internal/cluster collects the values of a job.
//
// It is a leaf: standard library and other leaves only.
package metrics
