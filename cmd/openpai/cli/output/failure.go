// SPDX-License-Identifier: MPL-2.0

package output

import (
	"fmt"
	"io"
	"strings"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/printable"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// showFailures prints exit code, meaning, advice and last output lines of every
// failed task. It omits tasks that were stopped because a different task failed.
func showFailures(out io.Writer, st *cluster.Status) {
	if st.State == planner.StateFailed && st.Diagnostics != "" && !anyFailure(st) {
		fmt.Fprintf(out, "\n  %s\n", Clean(st.Diagnostics))
	}
	for _, role := range st.TaskRoles {
		for _, task := range role.Tasks {
			if exit := lastFailure(task); exit != nil {
				showFailure(out, fmt.Sprintf("%s[%d]", role.Name, task.Index), exit)
			}
		}
	}
}

func anyFailure(st *cluster.Status) bool {
	for _, role := range st.TaskRoles {
		for _, task := range role.Tasks {
			if lastFailure(task) != nil {
				return true
			}
		}
	}
	return false
}

func lastFailure(task cluster.Task) *exitspec.Record {
	if len(task.Attempts) == 0 {
		return nil
	}
	exit := task.Attempts[len(task.Attempts)-1].Exit
	if exit == nil || exit.Stopped || exit.Code == 0 {
		return nil
	}
	return exit
}

// showFailure does not capitalize the text of the record: the first word may be an
// identifier.
func showFailure(out io.Writer, name string, exit *exitspec.Record) {
	fmt.Fprintf(out, "\n  %s failed with exit code %d: %s\n", name, exit.UserCode, Clean(exit.Phrase))
	step := exit.Step
	if strings.Contains(exit.Reason, step) {
		step = ""
	}
	for _, said := range [][2]string{{"reason", exit.Reason}, {"step", step}, {"advice", view.ExitAdvice(exit)}} {
		if said[1] != "" {
			fmt.Fprintf(out, "    %s: %s\n", said[0], Clean(said[1]))
		}
	}
	if len(exit.LastLines) > 0 {
		fmt.Fprintln(out, "    Last lines:")
		for _, line := range exit.LastLines {
			fmt.Fprintf(out, "      | %s\n", printable.Line(line))
		}
	}
}

// Outcome prints the final result of one job.
func Outcome(out io.Writer, colored bool, st *cluster.Status) {
	fmt.Fprintf(out, "\n%s %s%s\n", st.Address, Paint(colored, stateColor(st.State), string(st.State)), jobRemark(st))
	showNotes(out, st)
	showFailures(out, st)
}
