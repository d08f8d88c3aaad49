// SPDX-License-Identifier: MPL-2.0

// Package terminaltest emulates a terminal for tests. It interprets the output of a
// program and returns the text on the screen. It ignores sequences that package
// terminal does not use. It therefore does not work for full-screen programs.
package terminaltest
