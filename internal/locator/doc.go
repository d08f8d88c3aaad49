// SPDX-License-Identifier: MPL-2.0

// Package locator parses and formats the addresses of data that a fetch
// downloads: local files, http and https URLs, git repositories. The planner
// validates addresses with it, and the runtime downloads them.
//
// It is a leaf: standard library only.
package locator
