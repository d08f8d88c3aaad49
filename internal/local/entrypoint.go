package local

import (
	"crypto/rand"
	"fmt"
	"os"
	"time"
)

// The first arguments that make a program a part of the local cluster.
const (
	argSupervisor = "internal-supervisor"
	argTask       = "internal-task"
	argMounts     = "internal-mounts"
)

// envInternal is set for every process that is started with one of these
// arguments. A program that sees it did not call [Entrypoint] first, and must
// not start more of itself.
const envInternal = "OPENPAI_INTERNAL"

// Entrypoint runs the process as a supervisor or task when its arguments
// (os.Args) say so, and it was started for that. handled tells whether it was;
// code is then the exit code. A program that uses [Open] calls it before
// anything else, a test binary in TestMain.
func Entrypoint(args []string) (code int, handled bool) {
	if len(args) < 2 {
		return 0, false
	}
	part, rest := args[1], args[2:]
	if os.Getenv(envInternal) != part {
		return 0, false
	}
	_ = os.Unsetenv(envInternal) // we are that part now
	switch {
	case part == argSupervisor && len(rest) == 2:
		return runSupervisor(newLayout(rest[0]), rest[1], time.Now, rand.Reader), true
	case part == argTask && len(rest) >= 1:
		return runTask(taskDir(rest[0]), rest[1:], time.Now), true
	case part == argMounts && len(rest) == 1:
		return checkMounts(rest[0]), true
	}
	return 0, false
}

// mayStart fails in a process that was started as a part of the local cluster
// but runs as something else.
func mayStart() error {
	if part := os.Getenv(envInternal); part != "" {
		return fmt.Errorf("this program was started as %s but does not call local.Entrypoint first", part)
	}
	return nil
}
