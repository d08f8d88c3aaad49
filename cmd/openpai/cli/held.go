// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"fmt"
	"time"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
)

// jobArguments are the command-line arguments that choose a job, each preceded
// by a space.
type jobArguments string

// argumentsOf returns the arguments for a job; where chooses the workspace.
func argumentsOf(where string, job hclspec.Address) jobArguments {
	return jobArguments(where + " " + phrase.JobArgument(string(job)))
}

// enter returns the command that enters a task. The spelling of the task does not need
// quotes in any shell.
func (a jobArguments) enter(role string, index int) string {
	return fmt.Sprintf("openpai exec%s %s:%d", a, role, index)
}

func (a jobArguments) release(role string, index int) string {
	return fmt.Sprintf("openpai release%s %s:%d", a, role, index)
}

// heldHint returns the commands for a held task, as the end of a sentence.
func (a jobArguments) heldHint(role string, index int) string {
	return fmt.Sprintf("; %q enters the task, %q ends the hold", a.enter(role, index), a.release(role, index))
}

// heldTasks returns the number of held tasks of a role, the index of the first held
// task, and the time at which its hold began.
func heldTasks(role cluster.TaskRole) (count, first int, since time.Time) {
	for i := range role.Tasks {
		if r := role.Tasks[i].WaitingStage(); r != nil && r.Stage == stage.Held {
			if count++; count == 1 {
				first, since = role.Tasks[i].Index, r.Since
			}
		}
	}
	return count, first, since
}
