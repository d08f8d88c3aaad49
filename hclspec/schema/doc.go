// SPDX-License-Identifier: MPL-2.0

// Package schema creates JSON Schemas from the field table of hclspec, for
// editors: one for the JSON syntax of the language (*.pai.hcl.json) and one for
// OpenPAI protocol YAML.
//
// The schemas only assist with editing. The decoders (hclspec/syntax,
// hclspec/protocol) decide which files are valid, with rules that a schema cannot
// express.
package schema
