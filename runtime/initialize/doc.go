// SPDX-License-Identifier: MPL-2.0

// Package initialize implements the init container of a task. It prepares the
// task's volume, runs the init plugins in order, and writes the files that
// the task reads when it starts.
//
// The run specification comes from openpai or, in a manually written Pod, from
// RUNTIME_CONFIG. Source of the RUNTIME_CONFIG interface:
// microsoft/openpai-runtime, issue 12.
package initialize
