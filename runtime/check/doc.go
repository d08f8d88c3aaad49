// SPDX-License-Identifier: MPL-2.0

// Package check verifies before a task starts that the task's ports are free and
// its image exists. A check that cannot determine a result does not fail.
package check
