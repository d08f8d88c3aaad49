// SPDX-License-Identifier: MPL-2.0

// Command crash tests that the local cluster converges even if its programs are
// killed at arbitrary times. It starts new rounds for the given duration. A round
// creates a workspace of three jobs and runs apply. It kills the command,
// supervisors and task processes at random times with SIGKILL, and runs apply
// again. After that, every job must have succeeded, the number of attempts of every
// task must be consistent with the number of kills, and no two processes of a task
// may have run at the same time. Then the round runs jobs again, and kills run,
// apply, runs and gc. Every started run must have exactly one readable record until
// gc removes the record, and two runs must not have the same number. Finally, a
// destroy, which may also be killed, must remove all objects.
//
//	go run ./internal/tools/crash -duration 30m
//
// If crash detects an anomaly, it prints the anomaly, keeps the workspace and exits
// with code 1. It requires Linux, sh and flock.
package main
