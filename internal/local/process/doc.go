// SPDX-License-Identifier: MPL-2.0

// Package process identifies, finds and signals local processes on Linux and
// macOS. It does not know about jobs or tasks.
package process
