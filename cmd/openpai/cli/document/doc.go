// SPDX-License-Identifier: MPL-2.0

// Package document defines the types in the output of --json. The output is either a
// single document, or a sequence of events, one per line. The schemas in cmd/openpai/schema
// are generated from these types. `openpai schema OUTPUT` prints the schema of an
// output.
//
// Plans and diagnostics are documents too; their types are in package planner/view.
// Package cmd/openpai/cli prints documents.
package document
