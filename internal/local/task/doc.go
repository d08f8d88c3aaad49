// SPDX-License-Identifier: MPL-2.0

// Package task implements the process of one task on the local cluster. [Launch] is
// the data that the supervisor records for the task, and [Start] starts the process.
// In this process, [Run] waits until the supervisor has recorded the process, enters
// a mount namespace with the task's storages, and then starts the runtime.
//
// Package runtime executes the steps inside a task. The supervisor in
// internal/local decides when tasks start, end and are retried.
package task
