// SPDX-License-Identifier: MPL-2.0

package reexec

import (
	"fmt"
	"os"
)

// Values of the first argument that start the program as a part of the local
// cluster.
const (
	Supervisor = "internal-supervisor"
	Task       = "internal-task"
	Mounts     = "internal-mounts"
)

// Variable is an environment variable that is set for every process that starts
// with one of these arguments. Entrypoint removes it. If the variable is still
// set, the program did not call local.Entrypoint first and must not start
// itself again.
const Variable = "OPENPAI_INTERNAL"

// MayStart returns an error in a process that was started as a part of the local
// cluster but did not call local.Entrypoint.
func MayStart() error {
	if part := os.Getenv(Variable); part != "" {
		return fmt.Errorf("this process was started as %s, but the program did not call local.Entrypoint; call it first in main", part)
	}
	return nil
}
