// SPDX-License-Identifier: MPL-2.0

// Package locator parses and formats the addresses of data that a fetch downloads:
// local files, http and https URLs, and git repositories. The planner uses this
// package to validate addresses, and the runtime uses it to find the data to
// download.
//
// It imports only the standard library.
package locator
