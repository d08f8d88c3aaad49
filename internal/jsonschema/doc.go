// SPDX-License-Identifier: MPL-2.0

// Package jsonschema generates JSON Schemas for the JSON that encoding/json
// produces for Go types. It supports names, omitempty, embedded structs, maps and
// slices.
//
// It does not read or validate JSON. The schemas of the languages that users
// write come from the field table; see hclspec/schema.
package jsonschema
