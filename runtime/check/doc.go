// SPDX-License-Identifier: MPL-2.0

// Before a task starts, package check verifies that the ports of the task are free
// and that its image exists. An uncertain result is never a failure.
package check
