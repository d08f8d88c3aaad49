// SPDX-License-Identifier: MPL-2.0

// Package reexec defines the arguments with which the program starts itself as a
// part of the local cluster. Other versions of the program read these arguments
// when they run as supervisors or tasks, so the arguments must never change.
package reexec
