// SPDX-License-Identifier: MPL-2.0

package output

import (
	"fmt"
	"io"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/message"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
)

// showWaiting prints each distinct reason why tasks wait, with the first task
// and the number of other tasks.
func showWaiting(out io.Writer, st *cluster.Status) {
	if st.Stage != nil {
		fmt.Fprintf(out, "  waiting: the job %s\n", st.Stage.Reason)
	}
	var reasons []string
	tasks := map[string][]string{}
	for _, role := range st.TaskRoles {
		for _, task := range role.Tasks {
			for _, a := range task.Attempts {
				if a.Waiting == "" {
					continue
				}
				if tasks[a.Waiting] == nil {
					reasons = append(reasons, a.Waiting)
				}
				tasks[a.Waiting] = append(tasks[a.Waiting], fmt.Sprintf("%s[%d]", role.Name, task.Index))
			}
		}
	}
	for _, reason := range reasons {
		who := tasks[reason][0]
		if n := len(tasks[reason]); n > 1 {
			who += fmt.Sprintf(" and %d more", n-1)
		}
		fmt.Fprintf(out, "  waiting: %s: %s\n", who, reason)
	}
}

// ProblemPrinter returns a function that prints the problems that block a job. The
// function prints a problem only if it differs from the problem in the previous
// status.
func ProblemPrinter(out io.Writer, j operation.Job) func(*cluster.Status) {
	var problem message.Text
	return func(st *cluster.Status) {
		if !st.Problem.Empty() && !st.Problem.Equal(problem) {
			fmt.Fprintf(out, "%s: %s\n", j.Address, st.Problem.Phrase(phrase.Of))
		}
		problem = st.Problem
	}
}
