// SPDX-License-Identifier: MPL-2.0

// Package schema creates JSON Schemas for editors from the field table of
// hclspec. One schema describes the JSON syntax of the language
// (*.pai.hcl.json). The other schema describes OpenPAI protocol YAML.
//
// The schemas only assist with editing. The decoders (hclspec/syntax,
// hclspec/protocol) decide which files are valid. The decoders have rules that
// a schema cannot express.
package schema
