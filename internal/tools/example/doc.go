// Package example reads the examples of the catalog's entries, archives that
// lead to one diagnostic each, and serves the files that they expect behind an
// address. The documentation generator runs and prints them; the parity test
// runs them through both front ends.
package example
