// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/terminal"
	"github.com/openpai/terraform-provider-openpai/internal/operation"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// jobTable is the screen of status --watch.
type jobTable struct {
	title         string
	wide, colored bool
	now           func() time.Time
	read          func() (*jobsRead, error)
	logs          func(operation.Job) tea.ExecCommand

	jobs          []operation.Job
	all           []output.Summary
	problem       error
	columns, rows int

	selected int // index among the shown jobs
	filter   string
	typing   bool
	state    planner.JobState // "" shows all
}

// frame is the number of rows without a job: title, totals, column heads, error
// and keys.
const frame = 6

// room is the number of jobs that fit on the screen.
func (t *jobTable) room() int { return max(t.rows-frame, 1) }

// take replaces the jobs. After an error, it keeps the previous jobs.
func (t *jobTable) take(r *jobsRead, err error) {
	t.problem = err
	if err != nil {
		return
	}
	t.problem, t.jobs, t.all = r.failed, r.jobs, summaries(r.jobs, r.statuses)
	output.Sort(t.all)
	t.selected = max(min(t.selected, len(t.shown())-1), 0)
}

// shown returns the jobs that pass the filters.
func (t *jobTable) shown() []output.Summary {
	var all []output.Summary
	for _, s := range t.all {
		if strings.Contains(s.Address, t.filter) && (t.state == "" || s.State == t.state) {
			all = append(all, s)
		}
	}
	return all
}

// nextState returns the next state that at least one job has, or "" after the
// last state.
func (t *jobTable) nextState() planner.JobState {
	var present []planner.JobState
	for _, state := range planner.JobStates() {
		if slices.ContainsFunc(t.all, func(s output.Summary) bool { return s.State == state }) {
			present = append(present, state)
		}
	}
	if next := slices.Index(present, t.state) + 1; next < len(present) {
		return present[next]
	}
	return ""
}

// View implements tea.Model.
func (t *jobTable) View() tea.View {
	v := tea.NewView(strings.Join(t.lines(), "\n"))
	v.AltScreen = true
	return v
}

// lines returns the rows of the screen.
func (t *jobTable) lines() []string {
	shown := t.shown()
	lines := []string{
		fmt.Sprintf("Workspace %s  %s", output.Clean(t.title), t.now().Format(time.TimeOnly)),
		cmp.Or(output.Totals(t.all), "no jobs"), "",
	}
	lines = append(lines, t.table(shown)...)
	for len(lines) < t.rows-2 {
		lines = append(lines, "")
	}
	problem := ""
	if t.problem != nil {
		problem = output.Paint(t.colored, output.Red, output.Clean(t.problem.Error()))
	}
	lines = append(lines, problem, t.keys(len(shown)))
	for i := range lines {
		lines[i] = terminal.Cut(lines[i], t.columns)
	}
	return lines
}

func (t *jobTable) keys(shown int) string {
	if t.typing {
		return "filter: " + t.filter + "_   enter keep  esc clear"
	}
	keys := "up/down select  / filter  s state  l logs  q quit"
	if t.filter != "" || t.state != "" {
		keys = fmt.Sprintf("%d of %d  %s  esc all  ", shown, len(t.all), strings.TrimSpace(t.filter+" "+strings.ToLower(string(t.state)))) + keys
	}
	return keys
}

// table returns the column heads and as many jobs around the selected job as fit on
// the screen.
func (t *jobTable) table(shown []output.Summary) []string {
	columns := output.ColumnsOf(t.all, t.wide)
	first := max(min(t.selected-t.room()/2, len(shown)-t.room()), 0)
	last := min(first+t.room(), len(shown))
	cells := [][]string{columns.Head()}
	for _, s := range shown[first:last] {
		cells = append(cells, columns.Row(s, t.now()))
	}
	output.Fit(cells, t.columns-len(mark))
	var lines []string
	for n, line := range aligned(cells) {
		before := mark
		if n > 0 && first+n-1 == t.selected {
			before = selectedMark
			line = output.Paint(t.colored, output.Cyan, line)
		}
		lines = append(lines, before+line)
	}
	return lines
}

// Marks before each row of the table.
const (
	mark         = "  "
	selectedMark = "> "
)

// aligned separates columns by two spaces.
func aligned(rows [][]string) []string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i := range row {
			row[i] = output.Clean(row[i])
			widths[i] = max(widths[i], terminal.Width(row[i]))
		}
	}
	lines := make([]string, len(rows))
	for n, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			b.WriteString(cell + strings.Repeat(" ", widths[i]-terminal.Width(cell)+2))
		}
		lines[n] = strings.TrimRight(b.String(), " ")
	}
	return lines
}
