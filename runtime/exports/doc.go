// Package exports reads the variables that a script has exported: the shell
// prints them at its end, in the form of "export -p". Which of them other
// scripts get is decided in package runtime.
package exports
