// SPDX-License-Identifier: MPL-2.0

package output

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/hclspec"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// Summary contains the data for the line that summarizes a job.
type Summary struct {
	*cluster.Status
	// On is the name of the job's cluster, or "" if it has none.
	On string
	// GPUs is the number of GPUs of all tasks, or [UnknownGPUs].
	GPUs int
}

// UnknownGPUs is the value of Summary.GPUs for a job whose applied configuration is
// unknown.
const UnknownGPUs = -1

func (s Summary) tasks() (done, all int) {
	for _, role := range s.TaskRoles {
		for _, task := range role.Tasks {
			all++
			if n := len(task.Attempts); n > 0 && task.Attempts[n-1].Finished != nil {
				done++
			}
		}
	}
	return done, all
}

// age returns the time since the job was created, or "-" if the creation time
// is unknown.
func (s Summary) age(now time.Time) string {
	if s.Created.IsZero() {
		return "-"
	}
	return shortDuration(now.Sub(s.Created))
}

// shortDuration rounds a duration down to whole days, hours, minutes or
// seconds.
func shortDuration(d time.Duration) string {
	const day = 24 * time.Hour
	switch d = max(d, 0); {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/day)
}

// maxStage is the maximum width of the stage of a job. A longer text is
// shortened to this width.
const maxStage = 80

// stage describes the current stage of the tasks and why they wait. For an unknown
// stage, it returns "-".
func (s Summary) stage(now time.Time) string { return shorten(Clean(s.longStage(now)), maxStage) }

func (s Summary) longStage(now time.Time) string {
	in, tasks := map[stage.Name][]*stage.Record{}, 0
	var shown stage.Name
	for _, role := range s.TaskRoles {
		for i := range role.Tasks {
			tasks++
			a := role.Tasks[i].Latest()
			if a == nil || a.Stage == nil {
				continue
			}
			name := a.Stage.Stage
			in[name] = append(in[name], a.Stage)
			if shown == "" || moreNotable(name, shown, in) {
				shown = name
			}
		}
	}
	switch {
	case s.Stage != nil:
		return view.StageReason(s.Stage, now)
	case shown == "":
		return "-"
	case tasks == 1:
		return view.StageReason(in[shown][0], now)
	}
	words := view.RoleStage(stage.Example(in[shown]), len(in[shown]), tasks)
	if remark := SampleRemark(s.Status); remark != "" {
		words += " (" + remark + ")"
	}
	return words
}

// moreNotable reports whether stage a describes a job better than stage b. "held" is
// the most notable stage, and "commands" the least. Of two other stages, the more
// frequent stage is more notable.
func moreNotable(a, b stage.Name, in map[stage.Name][]*stage.Record) bool {
	switch {
	case a == b || b == stage.Held || a == stage.Commands:
		return false
	case a == stage.Held || b == stage.Commands:
		return true
	}
	return len(in[a]) > len(in[b])
}

// headStage is the title of the stage column.
const headStage = "STAGE"

// Columns selects the columns of a table of jobs.
type Columns struct {
	Wide bool
	// Stage and Usage select columns for which at least one job has data.
	Stage, Usage bool
}

// ColumnsOf returns the columns that have data.
func ColumnsOf(all []Summary, wide bool) Columns {
	c := Columns{Wide: wide}
	for _, one := range all {
		c.Stage = c.Stage || one.Stage != nil || hasStages(one.Status)
		c.Usage = c.Usage || hasUsage(one.Status)
	}
	return c
}

// Head returns the column titles.
func (c Columns) Head() []string {
	head := []string{"NAME", "STATE"}
	if c.Stage {
		head = append(head, headStage)
	}
	head = append(head, "TASKS", "AGE", "GPUS")
	if c.Usage {
		head = append(head, "CPU", "MEMORY")
	}
	if c.Wide {
		head = append(head, "CLUSTER", "ATTEMPT", "STARTED", "TIME", "OUTCOME")
	}
	return head
}

// Row returns the cells of one job.
func (c Columns) Row(s Summary, now time.Time) []string {
	row := []string{strings.TrimPrefix(s.Address, "job."), string(s.State)}
	if c.Stage {
		row = append(row, s.stage(now))
	}
	done, all := s.tasks()
	gpus := "-"
	if s.GPUs >= 0 {
		gpus = fmt.Sprint(s.GPUs)
	}
	row = append(row, fmt.Sprintf("%d/%d", done, all), s.age(now), gpus)
	if c.Usage {
		row = append(row, totalCells(s.Status)...)
	}
	if !c.Wide {
		return row
	}
	outcome := "-"
	if s.State == planner.StateFailed {
		outcome = cmp.Or(exitWords(s.UserCode, s.ExitCode, s.Phrase), "-")
	}
	return append(row, cmp.Or(s.On, "-"), fmt.Sprint(s.Attempt+1), clock(s.Launched, now), s.took(now), outcome)
}

func (c Columns) rows(all []Summary, now time.Time) [][]string {
	rows := [][]string{c.Head()}
	for _, s := range all {
		rows = append(rows, c.Row(s, now))
	}
	return rows
}

// took returns how long a job has run, or "-" if it has not started.
func (s Summary) took(now time.Time) string {
	if s.Launched == nil {
		return "-"
	}
	if s.Completed != nil {
		now = *s.Completed
	}
	return duration(now.Sub(*s.Launched))
}

// Sort sorts jobs in natural order.
func Sort(all []Summary) {
	slices.SortStableFunc(all, func(a, b Summary) int { return hclspec.CompareNatural(a.Address, b.Address) })
}

// Summaries prints one line per job in natural order, and then totals and
// causes of failures. width is the width of the terminal, or 0 without a
// terminal.
func Summaries(out io.Writer, all []Summary, wide bool, width int, now time.Time) {
	showSummaries(out, all, func(sorted []Summary) [][]string { return Fit(ColumnsOf(sorted, wide).rows(sorted, now), width) })
}

// FoldedSummaries is like [Summaries], but instances of one for_each share a line
// if they differ only in name and age.
func FoldedSummaries(out io.Writer, all []Summary, width int, now time.Time) {
	showSummaries(out, all, func(sorted []Summary) [][]string { return Fit(ColumnsOf(sorted, false).sharedRows(sorted, now), width) })
}

func showSummaries(out io.Writer, all []Summary, rows func([]Summary) [][]string) {
	all = slices.Clone(all)
	Sort(all)
	Table(out, rows(all))
	fmt.Fprintf(out, "\n%s\n", Totals(all))
	statuses := make([]*cluster.Status, len(all))
	for i, one := range all {
		statuses[i] = one.Status
	}
	showUsageUnknown(out, "", statuses...)
	Causes(out, all)
}

// Totals returns the number of jobs in each state, and the GPUs of running jobs.
// Finished jobs come first.
func Totals(all []Summary) string {
	counts, gpus := map[planner.JobState]int{}, 0
	for _, one := range all {
		counts[one.State]++
		if one.State == planner.StateRunning || one.State == planner.StateStopping {
			gpus += max(one.GPUs, 0)
		}
	}
	var parts []string
	for _, state := range planner.JobStates() {
		if n := counts[state]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, strings.ToLower(string(state))))
		}
	}
	if gpus > 0 {
		parts = append(parts, quantity.Count(gpus, "GPU")+" in use")
	}
	return strings.Join(parts, ", ")
}

// InUse prints the resources that running jobs use. It prints nothing if none of these
// jobs uses GPUs or has a price.
func InUse(out io.Writer, all []planner.InUse) {
	if !slices.ContainsFunc(all, func(u planner.InUse) bool { return u.GPUs > 0 || u.PricePerHour > 0 }) {
		return
	}
	fmt.Fprintln(out, "\nIn use by running jobs")
	for _, u := range all {
		fmt.Fprintf(out, "  %s\n", view.InUse(u))
	}
}
