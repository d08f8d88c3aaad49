// SPDX-License-Identifier: MPL-2.0

// Package plainjson encodes values as JSON for files and human readers.
// Unlike the default of encoding/json, it does not escape <, > and & for
// HTML.
package plainjson
