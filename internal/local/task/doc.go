// SPDX-License-Identifier: MPL-2.0

// Package task is the process of one task on the local cluster: [Launch] is the
// data that the supervisor records for the task, [Start] starts the process, and
// [Run] waits until the supervisor has recorded the process and enters a mount
// namespace with the task's storages before the runtime takes over.
//
// Package runtime executes the steps inside a task; the supervisor in
// internal/local decides when tasks start, end and are retried.
package task
