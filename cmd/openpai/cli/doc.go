// SPDX-License-Identifier: MPL-2.0

// Package cli implements the command line of openpai.
//
// Each file implements one verb: newXCmd parses flags into an options struct, whose run
// method does the work and passes the result to a view. Only streams and views print.
// [Main] prints errors and chooses the exit code (exit.go). Shared code: reading a
// workspace and resolving its jobs (project.go), looking up applied jobs (jobs.go),
// waiting and following (watch.go, logprinter.go).
//
// The package makes no decisions about jobs; see package planner.
package cli
