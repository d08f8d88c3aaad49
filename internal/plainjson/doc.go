// SPDX-License-Identifier: MPL-2.0

// Package plainjson encodes values as JSON for files and people. Unlike
// encoding/json by default, it does not escape the characters <, > and & for
// HTML.
package plainjson
