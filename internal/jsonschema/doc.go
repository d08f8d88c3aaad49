// Package jsonschema describes Go types as JSON Schema, the way encoding/json
// writes their values: names, omitempty, embedded structs, maps and slices.
//
// It reads no JSON and checks none. The schemas of the languages that users
// write come from the field table, see hclspec/schema.
package jsonschema
