// SPDX-License-Identifier: MPL-2.0

// Package logs writes the logs of a task. The user's commands have one log for
// each stream and a merged log. The runtime and its callbacks share a separate
// log. The package rotates files and masks secrets. A full disk never blocks
// the task.
package logs
