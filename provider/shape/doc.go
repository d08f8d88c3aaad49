// SPDX-License-Identifier: MPL-2.0

// Package shape defines how the fields of the model are written in Terraform. It
// derives everything from the field table of hclspec: the schemas of resources,
// the types of their values, and the conversion between values and the model in
// both directions.
//
// The rules:
//   - An object of the model is a nested attribute.
//   - Several named objects are a map by name; several other objects are a list.
//   - Labels in the language are attributes or keys.
//   - A free value has any type at the top level of a resource. Inside lists and
//     maps it is a JSON string, because Terraform does not support values of any
//     type there.
//
// For an unknown value, the decoder leaves the zero value in the model and
// records the path, so that diagnostics about the value can be dropped. Package
// provider defines what resources do.
package shape
