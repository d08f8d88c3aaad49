// SPDX-License-Identifier: MPL-2.0

// Package output prints jobs and clusters for the commands of openpai: tables, colored
// states, log lines with prefixes, failures with advice. It makes no decisions. Package
// planner/view prints plans and diagnostics.
package output
