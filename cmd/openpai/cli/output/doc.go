// SPDX-License-Identifier: MPL-2.0

// Package output prints jobs and clusters for the commands of openpai: tables, colored
// states, log lines with prefixes, and failures with advice. It does not make
// decisions. Package planner/view prints plans and diagnostics.
package output
