// SPDX-License-Identifier: MPL-2.0

// Command docgen generates the reference pages from the code: docs/language
// from the field table, docs/errors.md from the catalog of diagnostics,
// docs/cli.md from the command tree, the pages of the Terraform provider from
// its schema, the JSON Schemas, and the image docs/graph.svg from an example.
// `make generate` runs it; CI checks that it does not change any file.
//
// Pages with explanations are written by hand in docs/.
package main

//go:generate go tool docgen ../../../docs
