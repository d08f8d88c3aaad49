// SPDX-License-Identifier: MPL-2.0

// Command docgen generates the reference pages from the code. It generates
// docs/guides/language-*.md from the field table, docs/guides/errors.md from the
// catalog of diagnostics, and docs/guides/cli.md from the command tree. It draws
// examples/quickstart/graph.svg. In cmd/openpai/schema it generates the JSON Schemas of
// configuration files from the field table, and the JSON Schemas of output from Go types.
// It runs tfplugindocs with the provider's schema, which writes the pages of the provider.
// `make generate` runs docgen. CI runs docgen too, and fails if any file changes.
//
// All other pages in docs/ are written by hand.
package main

//go:generate go tool docgen ../../..
