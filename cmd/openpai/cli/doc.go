// Package cli is the command line of openpai.
//
// One file holds one verb: newXCmd parses flags into an options struct, its run
// method does the work and hands the result to a view. Only streams and views
// print. Errors travel as values to [Main], which shows them and chooses the
// exit code (exit.go). What the verbs share: reading a workspace and resolving
// its jobs (project.go), the clusters (clusters.go), following jobs
// (follow.go).
//
// It decides nothing about jobs: that is planner's work.
package cli
