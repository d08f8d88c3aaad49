// Package stage describes what a task does at the moment: the record that the
// runtime keeps in a file, and the line of the runtime's log that carries the
// same where the file cannot be read.
//
// A stage is for people. The user's commands can print such a line too, so
// nothing is decided by one.
//
// It is a leaf: standard library and other leaves only.
package stage
