// Command crash shows that the local cluster converges however its programs
// are killed. It repeats rounds until its time is over. A round makes a
// workspace of three jobs, applies it, kills the command, supervisors and task
// processes at random moments with SIGKILL, and then applies once more. After
// that apply every job must succeed, every task must have run as often as its
// kills explain, no two processes of one task may have run at the same time,
// and a destroy, which may be killed too, must leave nothing.
//
//	go run ./internal/tools/crash -duration 30m
//
// It exits with 1 after an anomaly, prints it and keeps the workspace. It needs
// Linux, sh and flock.
package main
