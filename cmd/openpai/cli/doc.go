// SPDX-License-Identifier: MPL-2.0

// Package cli implements the openpai CLI.
//
// Each file implements one verb. newXCmd parses flags into an options struct. The run
// method of the struct does the work and passes the result to a view. All output is
// written through [Streams] or by a view. [Main] prints errors and chooses the exit
// code (exit.go). Commands share code: project.go reads a workspace and resolves its
// jobs, jobs.go looks up applied jobs, and watch.go and logprinter.go wait for jobs and
// follow their logs.
//
// The package does not make decisions about jobs; see package planner.
package cli
