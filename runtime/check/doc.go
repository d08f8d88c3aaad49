// SPDX-License-Identifier: MPL-2.0

// Package check verifies that the ports of a task are free and that its image
// exists, before the task starts. An uncertain result is never a failure.
package check
