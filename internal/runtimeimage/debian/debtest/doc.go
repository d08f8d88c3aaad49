// SPDX-License-Identifier: MPL-2.0

// Package debtest creates small Debian packages for tests. These packages contain
// only the parts that internal/runtimeimage/debian reads. They are not signed.
// Package debtest does not run any program.
package debtest
