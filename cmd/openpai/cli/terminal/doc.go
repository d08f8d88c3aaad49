// SPDX-License-Identifier: MPL-2.0

// Package terminal controls the terminal that standard output and standard error share.
// Lines scroll above a live view, which is redrawn in place. This package only draws
// lines. Package cli chooses the content of the lines for waiting jobs. Files and pipes
// receive all bytes unchanged.
package terminal
