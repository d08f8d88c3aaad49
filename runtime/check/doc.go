// SPDX-License-Identifier: MPL-2.0

// Package check verifies, before a task starts, that the ports of the task are free
// and that its image exists. An uncertain result is never a failure.
package check
