// SPDX-License-Identifier: MPL-2.0

// Package terminal controls the terminal that standard output and standard error share:
// lines scroll, and a live view below them is redrawn in place. It draws lines but does
// not choose their content; package cli chooses the lines for waiting jobs. If an
// output is a file or a pipe, the package passes all bytes to it unchanged.
package terminal
