// Package shape says how the fields of the model are written in Terraform. It
// derives everything from the field table of hclspec: the schema of resources,
// the type of their values, and the two ways between values and the model.
//
// The rules: an object of the model is a nested attribute; named objects are a
// map by name, others a list; what the language writes with labels is written
// with attributes or keys; a free value is of any type at the top of a resource
// and JSON text inside of lists and maps, where Terraform knows no values of
// any type.
//
// A value that is not known yet is left at its zero value in the model and its
// path is collected, so that diagnostics about it can be dropped. What a resource
// is for and what is done with it is in package provider.
package shape
