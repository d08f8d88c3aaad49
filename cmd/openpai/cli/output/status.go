// SPDX-License-Identifier: MPL-2.0

package output

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/phrase"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/framework"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// Status prints one job: a line for the job, a table of tasks and attempts, and
// failures.
func Status(out io.Writer, colored bool, st *cluster.Status) {
	fmt.Fprintf(out, "%s  %s%s\n", st.Address, Paint(colored, stateColor(st.State), string(st.State)), jobRemark(st))
	showNotes(out, st)
	if len(st.TaskRoles) > 0 {
		fmt.Fprintln(out)
		showTasks(out, st, time.Now())
	}
	showFailures(out, st)
}

func showNotes(out io.Writer, st *cluster.Status) {
	for _, note := range st.Notes {
		fmt.Fprintf(out, "  note: %s\n", note)
	}
	for _, hindrance := range nonEmpty([]string{st.StalledText().Phrase(phrase.Of), st.Problem.Phrase(phrase.Of)}) {
		fmt.Fprintf(out, "  note: %s\n", hindrance)
	}
}

func jobRemark(st *cluster.Status) string {
	var parts []string
	if st.Retries > 0 {
		parts = append(parts, fmt.Sprintf("attempt %d", st.Attempt+1))
	}
	if st.State == planner.StateFailed {
		parts = append(parts, exitWords(st.UserCode, st.ExitCode, st.Phrase))
	}
	if st.State == planner.StateStopped {
		parts = append(parts, "by user")
	}
	if st.Launched != nil && st.Completed != nil {
		parts = append(parts, "after "+duration(st.Completed.Sub(*st.Launched)))
	}
	if st.State == planner.StateAbsent {
		parts = append(parts, "declared, not applied")
	}
	parts = nonEmpty(parts)
	if len(parts) == 0 {
		return ""
	}
	return "  " + strings.Join(parts, ", ")
}

// exitWords describes the exit code of "openpai run". The phrase comes from the
// exit specification.
func exitWords(user, spec *int, phrase string) string {
	code := user
	if code == nil {
		code = spec
	}
	switch {
	case code == nil:
		return phrase
	case phrase == "":
		return fmt.Sprintf("exit code %d", *code)
	}
	return fmt.Sprintf("exit code %d (%s)", *code, phrase)
}

// showTasks prints a table of tasks and their attempts. After a job retry, the
// table has a column for the job attempt.
func showTasks(out io.Writer, st *cluster.Status, now time.Time) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	jobAttempt := func(cell string) string {
		if st.Attempt == 0 {
			return ""
		}
		return cell + "\t"
	}
	measured, staged := hasUsage(st), hasStages(st)
	last := func(usage []string, stage string) string {
		var cells []string
		if measured {
			cells = append(cells, usage...)
		}
		if staged {
			cells = append(cells, stage)
		}
		return strings.Join(append([]string{""}, cells...), "\t")
	}
	fmt.Fprintf(w, "  TASK\t%sATTEMPT\tSTATE\tSTARTED\tTIME\tEXIT%s\n", jobAttempt("JOB ATTEMPT"), last([]string{"CPU", "MEMORY"}, "STAGE"))
	for _, role := range st.TaskRoles {
		for _, task := range role.Tasks {
			name := fmt.Sprintf("%s[%d]", role.Name, task.Index)
			if len(task.Attempts) == 0 {
				fmt.Fprintf(w, "  %s\t%s-\t%s\t-\t-\t-%s\n", name, jobAttempt("-"), task.State, last(usageCells(nil), "-"))
			}
			first, folded, rest := fold(task.Attempts)
			for n, a := range append(first, rest...) {
				if n == len(first) && folded > 0 {
					fmt.Fprintf(w, "  %s\t%s%d more\t\t\t\t%s\n", name, jobAttempt("..."), folded, last([]string{"", ""}, ""))
				}
				fmt.Fprintf(w, "  %s\t%s%d\t%s\t%s\t%s\t%s%s\n", name, jobAttempt(strconv.Itoa(a.JobAttempt+1)), a.Attempt+1,
					a.State, clock(a.Started, now), elapsed(a, now), exitCell(a), last(usageCells(a.Usage), stageCell(a, now)))
			}
		}
	}
	_ = w.Flush()
	if remark := SampleRemark(st); remark != "" {
		fmt.Fprintf(out, "  stages: %s\n", remark)
	}
	showUsageUnknown(out, "  ", st)
	showWaiting(out, st)
}

// stageCell returns the stage of an attempt for a table. The cell also
// contains the reason why the attempt waits, unless showWaiting prints the
// reason.
func stageCell(a cluster.TaskAttempt, now time.Time) string {
	if a.Waiting != "" {
		return cmp.Or(view.Stage(a.Stage, now), "-")
	}
	return cmp.Or(view.StageReason(a.Stage, now), "-")
}

// SampleRemark returns the number of running tasks whose stage was read, or ""
// if all were read.
func SampleRemark(st *cluster.Status) string {
	if st.Sample == nil {
		return ""
	}
	return fmt.Sprintf("%s of %s tasks checked", quantity.Grouped(st.Sample.Sampled), quantity.Grouped(st.Sample.Running))
}

// hasStages reports whether the stage of any task is known.
func hasStages(st *cluster.Status) bool {
	for _, role := range st.TaskRoles {
		for i := range role.Tasks {
			if a := role.Tasks[i].Latest(); a != nil && a.Stage != nil {
				return true
			}
		}
	}
	return false
}

// A table shows at most shownAttempts attempts of each task. If a task has
// more, the table shows the first attempt and the last latestAttempts
// attempts.
const (
	shownAttempts  = 6
	latestAttempts = 5
)

// fold returns the first and the latest attempts to show. folded is the
// number of omitted attempts between them.
func fold(all []cluster.TaskAttempt) (first []cluster.TaskAttempt, folded int, latest []cluster.TaskAttempt) {
	if len(all) <= shownAttempts {
		return nil, 0, all
	}
	return slices.Clone(all[:1]), len(all) - shownAttempts, all[len(all)-latestAttempts:]
}

// clock returns the time of day, preceded by the date unless t is today.
func clock(t *time.Time, now time.Time) string {
	switch {
	case t == nil:
		return "-"
	case t.Local().Format(time.DateOnly) != now.Local().Format(time.DateOnly):
		return t.Local().Format(time.DateTime)
	}
	return t.Local().Format(time.TimeOnly)
}

// elapsed returns how long an attempt has run, or "-" if it has not started.
func elapsed(a cluster.TaskAttempt, now time.Time) string {
	switch {
	case a.Started == nil:
		return "-"
	case a.Finished == nil:
		return max(now.Sub(*a.Started), 0).Round(time.Second).String()
	}
	return duration(a.Finished.Sub(*a.Started))
}

func exitCell(a cluster.TaskAttempt) string {
	switch {
	case a.Exit == nil:
		return "-"
	case a.Exit.Code == framework.CodeDeleteTaskRequested:
		return a.Exit.Reason
	}
	return fmt.Sprintf("%d %s", a.Exit.UserCode, a.Exit.Phrase)
}

// duration rounds a duration for display. Clock skew can cause a negative duration,
// which becomes 0.
func duration(d time.Duration) string {
	if d = max(d, 0); d < 10*time.Second {
		return d.Round(10 * time.Millisecond).String()
	}
	return d.Round(time.Second).String()
}

func nonEmpty(parts []string) []string {
	kept := parts[:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return kept
}
