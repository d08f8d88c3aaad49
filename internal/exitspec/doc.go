// Package exitspec holds the exit specification: which exit codes exist, what
// they mean, whether they are retried, and how a code is recognized in logs.
// It also holds the record that a task leaves when it ends.
//
// It is a leaf: standard library only, and the only place with exit data. How
// a failed task is analyzed is in runtime; how the codes drive retries is in
// internal/framework.
package exitspec
