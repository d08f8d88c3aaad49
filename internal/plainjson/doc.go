// SPDX-License-Identifier: MPL-2.0

// Package plainjson encodes JSON for files and people: it does not escape <, >
// and &. encoding/json escapes them for HTML.
package plainjson
