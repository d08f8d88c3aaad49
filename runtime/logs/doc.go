// Package logs writes the logs of a task: those of the user's commands, one per
// stream and a merged one, and that of the runtime with its callbacks. Files are
// rotated, secrets are masked, and a full disk never holds the task up.
package logs
