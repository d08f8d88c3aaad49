// SPDX-License-Identifier: MPL-2.0

// Package logs writes the logs of a task. These are the logs of the user's
// commands (one for each stream, and a merged log), and one log for the runtime
// and its callbacks. The package rotates files and masks secrets. A full disk
// never blocks the task.
package logs
