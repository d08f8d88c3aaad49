// SPDX-License-Identifier: MPL-2.0

// Package reexec defines the arguments with which the program starts itself as a
// part of the local cluster. Supervisors and tasks of other versions of the
// program read these arguments, so they must never change.
package reexec
