package local

import (
	"crypto/rand"
	"os"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/local/reexec"
	"github.com/openpai/terraform-provider-openpai/internal/local/store"
	"github.com/openpai/terraform-provider-openpai/internal/local/task"
)

// Entrypoint runs the process as a supervisor or task when its arguments
// (os.Args) say so, and it was started for that. handled tells whether it was;
// code is then the exit code. A program that uses [Open] calls it before
// anything else, a test binary in TestMain.
func Entrypoint(args []string) (code int, handled bool) {
	if len(args) < 2 {
		return 0, false
	}
	part, rest := args[1], args[2:]
	if os.Getenv(reexec.Variable) != part {
		return 0, false
	}
	_ = os.Unsetenv(reexec.Variable) // we are that part now
	switch {
	case part == reexec.Supervisor && len(rest) == 2:
		return runSupervisor(store.NewLayout(rest[0]), rest[1], time.Now, rand.Reader), true
	case part == reexec.Task && len(rest) >= 1:
		return task.Run(store.TaskDir(rest[0]), rest[1:], time.Now), true
	case part == reexec.Mounts && len(rest) == 1:
		return task.CheckMounts(rest[0]), true
	}
	return 0, false
}
