// SPDX-License-Identifier: MPL-2.0

// Package locator parses and formats the addresses of data that a fetch downloads:
// local files, http and https URLs, and git repositories. The planner validates
// addresses with this package, and the runtime downloads the data.
//
// It imports only the standard library.
package locator
