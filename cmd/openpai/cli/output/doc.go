// SPDX-License-Identifier: MPL-2.0

// Package output prints jobs and clusters. Its output contains tables, colored states,
// log lines with prefixes, and failures with advice. It does not make decisions.
// Package planner/view prints plans and diagnostics.
package output
