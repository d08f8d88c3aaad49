package reexec

import (
	"fmt"
	"os"
)

// The first arguments that make a program a part of the local cluster.
const (
	Supervisor = "internal-supervisor"
	Task       = "internal-task"
	Mounts     = "internal-mounts"
)

// Variable is set for every process that is started with one of these
// arguments. A program that sees it did not call local.Entrypoint first, and must
// not start more of itself.
const Variable = "OPENPAI_INTERNAL"

// MayStart fails in a process that was started as a part of the local cluster
// but runs as something else.
func MayStart() error {
	if part := os.Getenv(Variable); part != "" {
		return fmt.Errorf("this program was started as %s but does not call local.Entrypoint first", part)
	}
	return nil
}
