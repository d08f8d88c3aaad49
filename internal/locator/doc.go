// SPDX-License-Identifier: MPL-2.0

// Package locator parses and formats the addresses of downloads: local files, http
// and https URLs, and git repositories. The planner uses this package to validate
// addresses. The runtime uses this package to download the data.
//
// Package locator imports only the standard library.
package locator
