// Package schema makes JSON Schemas from the field table of hclspec, for
// editors: one of the JSON syntax of the language (*.pai.hcl.json) and one of
// OpenPAI protocol YAML.
//
// The schemas help while typing. What is accepted is decided by the decoders
// (hclspec/syntax, hclspec/protocol), which know more than a schema can say.
package schema
