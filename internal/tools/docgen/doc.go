// Command docgen writes the reference pages that are made from the code:
// docs/language from the field table, docs/errors.md from the catalog of
// diagnostics, docs/cli.md from the command tree, the pages of the Terraform
// provider from its schema, the JSON Schemas, and the picture docs/graph.svg
// from an example. It runs by `make generate`; CI checks that it changes
// nothing.
//
// Pages that explain instead of listing are written by hand in docs/.
package main

//go:generate go run . ../../../docs
