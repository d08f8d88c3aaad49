// SPDX-License-Identifier: MPL-2.0

// Package document defines the types of the --json output of commands: one document, or
// one event per line. The schemas in docs/schema are generated from these types;
// `openpai schema OUTPUT` prints them.
//
// Plans and diagnostics are documents too; their types are in package planner/view.
// Package cmd/openpai/cli prints documents.
package document
