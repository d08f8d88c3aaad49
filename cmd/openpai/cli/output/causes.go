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

// causeOf returns the cause from the first failed task, or the diagnostics of the job
// if no task failed.
func causeOf(st *cluster.Status) failureCause {
	cause := failureCause{outcome: exitWords(st.UserCode, st.ExitCode, st.Phrase), reason: st.Diagnostics}
	if exit := firstFailure(st); exit != nil {
		cause.step, cause.reason = exit.Step, exit.Reason
	}
	return cause
}

func firstFailure(st *cluster.Status) *exitspec.Record {
	for _, role := range st.TaskRoles {
		for _, task := range role.Tasks {
			if exit := lastFailure(task); exit != nil {
				return exit
			}
		}
	}
	return nil
}

// failures are the failed jobs, grouped by cause.
type failures struct {
	causes []failureCause // in order of first occurrence among the jobs
	jobs   map[failureCause][]hclspec.Address
}

func groupByCause(statuses []*cluster.Status) failures {
	f := failures{jobs: map[failureCause][]hclspec.Address{}}
	for _, st := range statuses {
		if st.State != planner.StateFailed {
			continue
		}
		cause := causeOf(st)
		if f.jobs[cause] == nil {
			f.causes = append(f.causes, cause)
		}
		f.jobs[cause] = append(f.jobs[cause], hclspec.Address(st.Address))
	}
	return f
}

// Outcomes prints the results of jobs. If several jobs failed from the same cause,
// it prints only the result of the first job.
func Outcomes(out io.Writer, colored bool, statuses []*cluster.Status) {
	failed := groupByCause(statuses)
	for _, st := range statuses {
		if st.State != planner.StateFailed {
			Outcome(out, colored, st)
			continue
		}
		same := failed.jobs[causeOf(st)]
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
func Causes(out io.Writer, all []Summary) { showCauses(out, all, 1) }

// SharedCauses prints the causes that at least two failed jobs share.
func SharedCauses(out io.Writer, all []Summary) { showCauses(out, all, 2) }

// showCauses prints the causes that at least the given number of jobs share.
func showCauses(out io.Writer, all []Summary, least int) {
	var statuses []*cluster.Status
	for _, s := range all {
		statuses = append(statuses, s.Status)
	}
	failed := groupByCause(statuses)
	for _, cause := range failed.causes {
		jobs := failed.jobs[cause]
		if len(jobs) < least {
			continue
		}
		fmt.Fprintf(out, "\n%s failed with %s: %s\n", quantity.Count(len(jobs), "job"), Clean(cause.outcome), view.Jobs(jobs))
		for _, said := range [][2]string{{"reason", cause.reason}, {"step", cause.step}} {
			if said[1] != "" {
				fmt.Fprintf(out, "  %s: %s\n", said[0], Clean(said[1]))
			}
		}
	}
}
