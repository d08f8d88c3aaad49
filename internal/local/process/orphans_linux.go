// SPDX-License-Identifier: MPL-2.0

package process

import (
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// CanAdoptOrphans reports whether this system lets a process adopt orphaned
// descendants.
const CanAdoptOrphans = true

// AdoptOrphans makes this process the parent of every descendant whose own parent
// ends.
func AdoptOrphans() error {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("adopt orphans: %w", err)
	}
	return nil
}

// Orphans returns the running children that this process did not start. It
// reaps exited children that this process did not start. started reports
// whether this process started the process with the given PID.
func Orphans(started func(pid int) bool) ([]int, error) {
	all, err := pids()
	if err != nil {
		return nil, err
	}
	var found []int
	parent := strconv.Itoa(os.Getpid())
	for _, pid := range all {
		fields, err := stat(pid)
		if err != nil || fields[statParent] != parent || started(pid) {
			continue
		}
		if ended(fields) {
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
			continue
		}
		found = append(found, pid)
	}
	return found, nil
}
