// SPDX-License-Identifier: MPL-2.0

// Package pipe copies program output from pipes to the logs, and detects when
// all output has arrived. Package runtime/logs implements the logs.
package pipe
