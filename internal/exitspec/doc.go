// SPDX-License-Identifier: MPL-2.0

// Package exitspec contains the exit specification: exit codes with their meanings,
// retry behavior and log patterns. It also defines the exit record of a task.
//
// It is the only package that contains exit data. Package runtime collects the
// input for the analysis of a failed task. internal/framework uses the codes to
// decide whether to retry.
package exitspec
