// SPDX-License-Identifier: MPL-2.0

// Package debtest creates small Debian packages for tests. They contain only the
// parts that internal/runtimeimage/debian reads. The packages are not signed. The
// package does not run any program.
package debtest
