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

// jobArguments are the command-line arguments that select a job, each preceded
// by a space.
type jobArguments string

// argumentsOf returns the arguments for a job; where contains the arguments
// that select the workspace.
func argumentsOf(where string, job hclspec.Address) jobArguments {
	return jobArguments(where + " " + phrase.JobArgument(string(job)))
}

// enter returns the command that enters a task. In any shell, the form ROLE:INDEX does
// not need quotes.
func (a jobArguments) enter(role string, index int) string {
	return fmt.Sprintf("openpai exec%s %s:%d", a, role, index)
}

func (a jobArguments) release(role string, index int) string {
	return fmt.Sprintf("openpai release%s %s:%d", a, role, index)
}

// heldHint returns a clause with the commands that enter and release a held
// task.
func (a jobArguments) heldHint(role string, index int) string {
	return fmt.Sprintf("; %q enters the task, %q releases it", a.enter(role, index), a.release(role, index))
}

// heldTasks counts the held tasks of a role. The result first is the index of the
// first held task, and since is the time at which this task became held.
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
