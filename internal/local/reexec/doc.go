// SPDX-License-Identifier: MPL-2.0

// Package reexec defines the arguments with which the program starts itself as a
// component of the local cluster. The arguments must never change, because
// supervisors and tasks of other program versions read them.
package reexec
