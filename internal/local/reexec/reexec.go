// SPDX-License-Identifier: MPL-2.0

package reexec

import (
	"fmt"
	"os"
)

// The first arguments that make the program a part of the local cluster.
const (
	Supervisor = "internal-supervisor"
	Task       = "internal-task"
	Mounts     = "internal-mounts"
)

// Variable is an environment variable of every process that is started with one
// of these arguments. Entrypoint removes it. If the variable is still set, the
// program did not call local.Entrypoint first and must not start itself again.
const Variable = "OPENPAI_INTERNAL"

// MayStart returns an error in a process that was started as a part of the local
// cluster but did not call local.Entrypoint.
func MayStart() error {
	if part := os.Getenv(Variable); part != "" {
		return fmt.Errorf("this program was started as %s but does not call local.Entrypoint first", part)
	}
	return nil
}
