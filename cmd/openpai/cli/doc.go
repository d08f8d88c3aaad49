// SPDX-License-Identifier: MPL-2.0

// Package cli implements the command line of openpai.
//
// Each file implements one verb: newXCmd parses flags into an options struct, whose run
// method does the work and passes the result to a view. Only streams and views print.
// [Main] prints errors and chooses the exit code (exit.go). Commands share the code
// that reads a workspace and resolves its jobs (project.go), looks up applied jobs
// (jobs.go), and waits for and follows jobs (watch.go, logprinter.go).
//
// The package does not make decisions about jobs; see package planner.
package cli
