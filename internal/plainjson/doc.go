// SPDX-License-Identifier: MPL-2.0

// Package plainjson encodes JSON for files and people. Unlike encoding/json, which
// escapes <, > and & for HTML, it does not escape these characters.
package plainjson
