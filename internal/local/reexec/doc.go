// Package reexec holds the arguments with which the program starts itself as a
// part of the local cluster. Supervisors and tasks of another version of the
// program read them, so they never change.
package reexec
