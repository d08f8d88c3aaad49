// SPDX-License-Identifier: MPL-2.0

// Package plainjson encodes JSON for files and people. Unlike encoding/json, it
// does not escape the characters <, > and & for HTML.
package plainjson
