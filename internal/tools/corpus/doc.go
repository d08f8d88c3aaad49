// Command corpus checks the front ends and the planner on a folder of real job
// files: what is valid must load, resolve, render and survive the round trip
// through HCL; what is invalid must be rejected for the stated reason. It
// prints a table of counts and of warnings, and fails when a file does not
// behave as its folder says.
//
//	corpus FOLDER
//
// The folder has jobs-v2 (valid jobs), legacy-tasks (the older format), seeds
// and invalid; the last two say in EXPECTED.tsv what must happen to a file. It
// may have differential (jobs that readers of the protocol read differently),
// whose files must not end in a crash: what they mean is held by the tests of
// the planner.
// Checks are by rule: no file is named here.
package main
