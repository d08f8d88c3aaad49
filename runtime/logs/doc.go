// SPDX-License-Identifier: MPL-2.0

// Package logs writes the logs of a task: the logs of the user's commands, one
// per stream and one merged log, and the log of the runtime with its callbacks.
// Files are rotated, secrets are masked, and a full disk never blocks the task.
package logs
