// SPDX-License-Identifier: MPL-2.0

package output

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/history"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/internal/plainjson"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
)

// Run prints the record of a run.
func Run(out io.Writer, colored bool, r operation.RecordedRun, now time.Time) {
	fmt.Fprintf(out, "%s %s\n", Clean(r.Reference()), Paint(colored, stateColor(r.State()), runState(r)))
	rows := [][]string{}
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, []string{name, value})
		}
	}
	add("uid", r.UID)
	add("workspace", r.Workspace)
	add("cluster", r.On)
	add("submitted", r.Submitted.Format(time.RFC3339)+" by "+r.User+with(r.Command))
	add("repeats", repeats(r.Run))
	add("commit", commit(r.Git))
	add("openpai", r.Versions.OpenPAI)
	add("runtime", r.Versions.Runtime)
	add("engine", r.Versions.Engine)
	if o := r.Outcome; o != nil {
		add("duration", runDuration(r.Run))
		add("job attempts", strconv.Itoa(o.Attempts))
		add("reason", o.Reason)
	}
	add("resources", fmt.Sprintf("%s, %s, %d MB, %s", quantity.Count(r.Resources.Tasks, "task"), quantity.Count(r.Resources.CPUs, "CPU"), r.Resources.MemoryMB, quantity.Count(r.Resources.GPUs, "GPU")))
	add("metrics", metrics(r.Metrics))
	add("CPU time", cpuTime(r.Run))
	add("peak memory", peakMemory(r.Run))
	add("logs", logPlace(r))
	add("omitted", omitted(r.Run))
	Table(out, rows)
	showFacts(out, r.Run)
	showRunTasks(out, r.Run, now)
}

func with(command string) string {
	if command == "" {
		return ""
	}
	return " with " + command
}

func repeats(r *history.Run) string {
	if r.RepeatOf == 0 {
		return ""
	}
	return fmt.Sprintf("%s@%d", r.Address, r.RepeatOf)
}

func commit(g *history.Git) string {
	switch {
	case g == nil:
		return ""
	case g.Dirty:
		return g.Commit + " with uncommitted changes"
	}
	return g.Commit
}

func logPlace(r operation.RecordedRun) string {
	switch {
	case r.LogPlace != "":
		return r.LogPlace
	case r.Live != nil:
		return "with the job"
	case len(r.Logs) == 0:
		return "none kept"
	case r.Logs[0].Directory == "":
		return "the last lines are in the record"
	}
	return r.Logs[0].Directory + more(len(r.Logs)-1)
}

func more(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

func omitted(r *history.Run) string {
	if len(r.Omitted) == 0 {
		return ""
	}
	text := strings.Join(r.Omitted, ", ")
	if r.Lacks(history.PartJob) {
		text += "; the run cannot be repeated from here"
	}
	return text
}

// showFacts prints the inputs of a run.
func showFacts(out io.Writer, r *history.Run) {
	var rows [][]string
	used, others := r.UsedItems()
	for _, i := range used {
		rows = append(rows, []string{itemName(i), itemValue(i)})
	}
	facts := facts(r)
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		if kind, _, _ := strings.Cut(name, " "); slices.Contains([]string{"variable", "image", "data", "secret"}, kind) {
			rows = append(rows, []string{name, facts[name]})
		}
	}
	rows = append(rows, parameters(r)...)
	slices.SortStableFunc(rows, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	if others > 0 {
		rows = append(rows, []string{"lock", fmt.Sprintf("%d %s that the resolved job does not refer to; see --json", others, quantity.Plural(others, "other entry", "other entries"))})
	}
	if len(rows) > 0 {
		fmt.Fprintln(out)
		Table(out, rows)
	}
}

// parameters returns the job parameters. Parameters are fields of the job, not
// facts.
func parameters(r *history.Run) [][]string {
	var rows [][]string
	if job, err := r.Resolved(); err == nil && job != nil {
		for _, name := range slices.Sorted(maps.Keys(job.Parameters)) {
			rows = append(rows, []string{"parameter " + name, string(plainjson.MustMarshal(job.Parameters[name]))})
		}
	}
	return rows
}

func showRunTasks(out io.Writer, r *history.Run, now time.Time) {
	rows := [][]string{{"TASK", "ATTEMPT", "STATE", "STARTED", "METRICS", "EXIT"}}
	for _, t := range r.Tasks {
		for _, a := range t.Attempts {
			exit, values := "-", metrics(a.Metrics)
			if a.Exit != nil {
				values = metrics(a.Exit.Metrics)
				exit = fmt.Sprintf("%d: %s", a.Exit.UserCode, a.Exit.Reason)
			}
			rows = append(rows, []string{
				fmt.Sprintf("%s[%d]", t.Role, t.Index), fmt.Sprintf("%d.%d", a.JobAttempt+1, a.Attempt+1), a.State, clock(a.Started, now), orNone(values), exit,
			})
		}
	}
	if len(rows) > 1 {
		fmt.Fprintln(out)
		Table(out, rows)
	}
}
