// Package metrics reads the numbers that a task reports about its work: lines of
// JSON that its programs append to a file. It holds the format, its limits, and
// the line of the runtime's log that carries the values while the task runs.
//
// The file is the task's own, so its content is hostile: everything beyond the
// limits is ignored. Which values a job has is in internal/cluster.
//
// It is a leaf: standard library and other leaves only.
package metrics
