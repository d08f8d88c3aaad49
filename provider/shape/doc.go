// SPDX-License-Identifier: MPL-2.0

// Package shape defines how the fields of the model are written in Terraform. It
// derives everything from the field table of hclspec: the schemas of resources,
// the types of their values, and the conversion between values and the model in
// both directions.
//
// The rules: an object of the model is a nested attribute; named objects are a map
// by name, and other objects a list; labels in the language are attributes or keys;
// a free value has any type at the top of a resource, and is a JSON string inside
// lists and maps, because Terraform does not support values of any type there.
//
// The decoder leaves an unknown value at its zero value in the model and
// collects its path, so that diagnostics about the value can be dropped.
// Package provider defines what resources do.
package shape
