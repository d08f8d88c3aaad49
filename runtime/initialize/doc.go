// SPDX-License-Identifier: MPL-2.0

// Package initialize is the init container of a task: it prepares the volume
// that the task works in, runs the init plugins in order, and writes everything
// that the task needs to start immediately.
//
// The run specification comes from openpai or, in a manually written Pod, from
// RUNTIME_CONFIG. Source of the RUNTIME_CONFIG interface:
// microsoft/openpai-runtime, issue 12.
package initialize
