// SPDX-License-Identifier: MPL-2.0

// Package shape defines how the fields of the model are written in Terraform.
// Everything is derived from the field table of hclspec: resource schemas, value
// types, and the conversion between values and the model.
//
// The rules:
//   - An object of the model is a nested attribute.
//   - Repeated objects with names form a map by name; other repeated objects
//     form a list.
//   - The labels of HCL blocks become attributes or map keys.
//   - At the top level of a resource, a free-form value can have any type.
//     Inside lists and maps, it is a JSON string, because Terraform does not
//     support dynamically typed values there.
//
// For an unknown value, the decoder sets the default value in the model. It
// records the path, so that diagnostics about the value can be dropped. Package
// provider defines what resources do.
package shape
