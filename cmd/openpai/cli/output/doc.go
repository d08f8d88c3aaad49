// Package output prints what commands of openpai show of jobs and clusters:
// tables, states in color, prefixed lines of logs, failures with advice. It
// decides nothing. Package planner/view shows plans and diagnostics.
package output
