// Package document has the types of what commands print with --json: one
// document, or one event per line. The schemas of docs/schema are made from
// these types, and `openpai schema OUTPUT` prints them.
//
// Plans and diagnostics are documents too; their types are in planner/view. How
// commands print documents is in cmd/openpai/cli.
package document
