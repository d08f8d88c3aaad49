// SPDX-License-Identifier: MPL-2.0

// Package example reads the examples of the catalog's entries. Each example is an
// archive that produces one diagnostic. The package also provides a web server for
// the files that examples expect at a URL. The documentation generator runs and
// prints the examples. The parity test runs them in both front ends.
package example
