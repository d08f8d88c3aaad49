// SPDX-License-Identifier: MPL-2.0

// Package jsonschema generates JSON Schemas for the JSON that encoding/json
// produces for Go types. It supports field names, omitempty, embedded structs,
// maps and slices.
//
// It does not read or validate JSON. Package hclspec/schema uses the field
// table to generate the schemas for files that users write.
package jsonschema
