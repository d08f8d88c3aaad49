// SPDX-License-Identifier: MPL-2.0

// Package terminaltest emulates a terminal for tests. It interprets the output of a
// program and returns the text on the screen. It supports the sequences that package
// terminal uses and ignores all others, so it does not work for full-screen programs.
package terminaltest
