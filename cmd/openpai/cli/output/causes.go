// SPDX-License-Identifier: MPL-2.0

package output

import (
	"fmt"
	"io"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/exitspec"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// failureCause is the part of a failure that several jobs can share.
type failureCause struct{ outcome, step, reason string }

// causeOf returns the cause of a failed job, taken from its first failed task.
func causeOf(s Summary) failureCause {
	cause := failureCause{outcome: exitWords(s.UserCode, s.ExitCode, s.Phrase)}
	if exit := firstFailure(s); exit != nil {
		cause.step, cause.reason = exit.Step, exit.Reason
	}
	return cause
}

func firstFailure(s Summary) *exitspec.Record {
	for _, role := range s.TaskRoles {
		for _, task := range role.Tasks {
			if exit := lastFailure(task); exit != nil {
				return exit
			}
		}
	}
	return nil
}

// Outcomes prints the results of jobs, and equal failures once with the other jobs that
// failed for the same cause.
func Outcomes(out io.Writer, colored bool, statuses []*cluster.Status) {
	type failure struct {
		failureCause
		diagnostics string // of a job without a failed task
	}
	failureOf := func(st *cluster.Status) failure {
		f := failure{failureCause: causeOf(Summary{Status: st})}
		if !anyFailure(st) {
			f.diagnostics = st.Diagnostics
		}
		return f
	}
	jobs := map[failure][]hclspec.Address{}
	for _, st := range statuses {
		if st.State == planner.StateFailed {
			f := failureOf(st)
			jobs[f] = append(jobs[f], hclspec.Address(st.Address))
		}
	}
	for _, st := range statuses {
		if st.State != planner.StateFailed {
			Outcome(out, colored, st)
			continue
		}
		same := jobs[failureOf(st)]
		if string(same[0]) != st.Address {
			continue
		}
		Outcome(out, colored, st)
		if len(same) > 1 {
			fmt.Fprintf(out, "\n  The same for %s.\n", view.Jobs(same[1:]))
		}
	}
}

// Causes prints why jobs failed. It groups jobs by cause.
func Causes(out io.Writer, all []Summary) { causes(out, all, 1) }

// SharedCauses prints the causes that at least two failed jobs share.
func SharedCauses(out io.Writer, all []Summary) { causes(out, all, 2) }

// causes prints the causes that at least least jobs share.
func causes(out io.Writer, all []Summary, least int) {
	jobs := map[failureCause][]hclspec.Address{}
	var order []failureCause
	for _, s := range all {
		if s.State != planner.StateFailed {
			continue
		}
		cause := causeOf(s)
		if jobs[cause] == nil {
			order = append(order, cause)
		}
		jobs[cause] = append(jobs[cause], hclspec.Address(s.Address))
	}
	for _, cause := range order {
		if len(jobs[cause]) < least {
			continue
		}
		fmt.Fprintf(out, "\n%s failed with %s: %s\n", quantity.Count(len(jobs[cause]), "job"), Clean(cause.outcome), view.Jobs(jobs[cause]))
		for _, said := range [][2]string{{"reason", cause.reason}, {"step", cause.step}} {
			if said[1] != "" {
				fmt.Fprintf(out, "  %s: %s\n", said[0], Clean(said[1]))
			}
		}
	}
}
