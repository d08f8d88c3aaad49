// Package terminaltest is a terminal for tests: it executes what a program
// writes and shows the text on its screen. It knows the sequences that package
// terminal draws with and skips all others, so that it is no help for programs
// that use the whole screen.
package terminaltest
