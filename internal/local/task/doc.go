// SPDX-License-Identifier: MPL-2.0

// Package task implements the process of one task on the local cluster. [Launch] is
// the data that the supervisor records for the task. [Start] starts the process. In
// this process, [Run] waits until the supervisor has recorded the process. [Run]
// then mounts the storages in a mount namespace and starts the runtime.
//
// Package runtime executes the steps inside a task. The supervisor in
// internal/local decides when tasks start, end and are retried.
package task
