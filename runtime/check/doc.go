// SPDX-License-Identifier: MPL-2.0

// Package check verifies before a task starts that the task's ports are free and
// its image exists. An uncertain result is never a failure.
package check
