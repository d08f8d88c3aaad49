// SPDX-License-Identifier: MPL-2.0

// Command crash tests that the local cluster converges even if its programs are
// killed at arbitrary times. It starts new rounds until the given duration has
// passed. A round creates a workspace of three jobs and runs apply. It kills the
// command, supervisors and task processes at random times with SIGKILL, and runs
// apply again. After that, every job must have succeeded. Two processes of a task
// must never have run at the same time. The number of attempts of every task must
// be consistent with the number of kills. Then the round runs jobs again, and
// kills the commands run, apply, runs and gc. Every started run must have exactly
// one readable record until gc removes the record. No two runs may have the same
// number. Finally, destroy must remove all objects, even if it was killed and runs
// again.
//
//	go run ./internal/tools/crash -duration 30m
//
// If crash detects an anomaly, it prints the anomaly, keeps the workspace and exits
// with code 1. It requires Linux, sh and flock.
package main
