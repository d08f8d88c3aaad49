// SPDX-License-Identifier: MPL-2.0

// Package example reads the examples of the catalog's entries. Each example is an
// archive that produces one diagnostic. It also serves the files that the examples
// expect at a URL. The documentation generator runs and prints the examples; the
// parity test runs them through both front ends.
package example
