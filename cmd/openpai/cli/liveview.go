// SPDX-License-Identifier: MPL-2.0

package cli

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/output"
	"github.com/openpai/terraform-provider-openpai/cmd/openpai/cli/terminal"
	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/stage"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// Weights of lines in the live view. The view drops lines with the lowest
// weight first.
const (
	weightRunning = iota
	weightPending
	weightWaiting
	weightHeld
	weightHint
)

// maxNameColumn is the maximum width of the name column.
const maxNameColumn = 40

// liveRow is a two-column line of the live view.
type liveRow struct {
	name, text string
	color      output.Color
	weight     int
}

// liveView returns one line per task, or one per role if there are many tasks.
func liveView(jobs []*watchedJob, now time.Time, colored bool) []terminal.Line {
	tasks := 0
	for _, j := range jobs {
		tasks += unfinishedTasks(j.last)
	}
	var rows []liveRow
	for _, j := range jobs {
		rows = append(rows, jobRows(j, tasks >= manyTasks, now)...)
	}
	width := 0
	for _, r := range rows {
		width = max(width, min(terminal.Width(r.name), maxNameColumn))
	}
	var lines []terminal.Line
	for _, r := range rows {
		gap := strings.Repeat(" ", max(width-terminal.Width(r.name), 0)+2)
		lines = append(lines, terminal.Line{Text: output.Paint(colored, r.color, r.name) + gap + r.text, Weight: r.weight})
	}
	return append(lines, heldLines(jobs)...)
}

// heldLines shows the commands that enter and release the first held task, if
// any.
func heldLines(jobs []*watchedJob) []terminal.Line {
	for _, j := range jobs {
		for _, role := range j.last.TaskRoles {
			if count, first, _ := heldTasks(role); count > 0 && !j.last.State.Finished() {
				return []terminal.Line{
					{Text: "to enter:         " + j.announcer.job.enter(role.Name, first), Weight: weightHint},
					{Text: "to end the hold:  " + j.announcer.job.release(role.Name, first), Weight: weightHint},
				}
			}
		}
	}
	return nil
}

func unfinishedTasks(st *cluster.Status) int {
	n := 0
	if !st.State.Finished() {
		for _, role := range st.TaskRoles {
			n += len(role.Tasks)
		}
	}
	return n
}

// jobRows returns the rows for one job. A job without tasks has one row.
func jobRows(j *watchedJob, byRole bool, now time.Time) []liveRow {
	st := j.last
	if st.State.Finished() {
		return nil
	}
	if st.Stage != nil {
		return []liveRow{{name: jobName(j.prefix), text: view.StageReason(st.Stage, now), weight: weightWaiting}}
	}
	var rows []liveRow
	for _, role := range st.TaskRoles {
		if byRole && len(role.Tasks) > 1 {
			rows = append(rows, roleRow(j.prefix, role))
			continue
		}
		for i := range role.Tasks {
			if r := taskRow(j.prefix, role.Name, &role.Tasks[i], now); r.text != "" {
				rows = append(rows, r)
			}
		}
	}
	if remark := output.SampleRemark(st); remark != "" {
		rows = append(rows, liveRow{name: jobName(j.prefix), text: remark, weight: weightPending})
	}
	if len(rows) == 0 {
		return []liveRow{{name: jobName(j.prefix), text: strings.ToLower(cmp.Or(string(st.State), "unknown")), weight: weightPending}}
	}
	if st.State == planner.StateStopping {
		stopping := strings.ToLower(string(planner.StateStopping))
		for i := range rows {
			if rows[i].text != stopping {
				rows[i].text = stopping + ": " + rows[i].text
			}
		}
	}
	return rows
}

// jobName returns the name of the job whose tasks have the given prefix.
func jobName(prefix string) string { return cmp.Or(strings.TrimSuffix(prefix, "/"), "job") }

// taskRow returns the row of a task. The row of a finished task has no text.
func taskRow(prefix, role string, t *cluster.Task, now time.Time) liveRow {
	row := liveRow{
		name: prefix + taskLabel(role, t), weight: weightPending,
		color: output.TaskColor(cluster.AttemptID{Role: role, Index: t.Index}),
	}
	a := t.Latest()
	waiting := t.WaitingStage()
	switch {
	case waiting != nil:
		row.text, row.weight = view.StageReason(waiting, now), weightWaiting
		if waiting.Stage == stage.Held {
			row.weight = weightHeld
		}
	case planner.JobState(t.State).Finished():
	case runs(a):
		row.text, row.weight = runningWords(a, now), weightRunning
	default:
		row.text = strings.ToLower(t.State)
		if a != nil && a.Waiting != "" {
			row.text += ": " + output.Clean(a.Waiting)
		}
	}
	return row
}

// runs returns true if an attempt has not ended and either has started or has a
// stage. Such an attempt may be running its commands.
func runs(a *cluster.TaskAttempt) bool {
	return a != nil && a.Exit == nil && a.Finished == nil && (a.Stage != nil || a.Started != nil)
}

func runningWords(a *cluster.TaskAttempt, now time.Time) string {
	if a.Stage != nil {
		return view.Stage(a.Stage, now) + lasted(a.Stage.Since, now)
	}
	return strings.ToLower(a.State) + lasted(*a.Started, now)
}

func lasted(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	return ", " + max(now.Sub(t), 0).Truncate(time.Second).String()
}

// roleRow returns a row that counts a role's tasks by stage and shows one reason why
// tasks wait.
func roleRow(prefix string, role cluster.TaskRole) liveRow {
	row := liveRow{name: prefix + role.Name, color: output.TaskColor(cluster.AttemptID{Role: role.Name})}
	counts := map[string]int{}
	var order []string
	var waiting []*stage.Record
	for i := range role.Tasks {
		does, weight, why := taskDoes(&role.Tasks[i])
		if counts[does]++; counts[does] == 1 {
			order = append(order, does)
		}
		row.weight = max(row.weight, weight)
		waiting = append(waiting, why)
	}
	var parts []string
	for _, does := range order {
		if parts == nil {
			parts = append(parts, fmt.Sprintf("%d of %d %s", counts[does], len(role.Tasks), does))
			continue
		}
		parts = append(parts, fmt.Sprintf("%d %s", counts[does], does))
	}
	row.text = strings.Join(parts, ", ")
	if example := stage.Example(waiting); example != nil {
		if reason := view.RoleReason(example); reason != "" {
			row.text += "; " + output.Clean(reason)
		}
	}
	return row
}

// taskDoes returns one word for a task's stage or state, and the weight of
// its row. why is the stage record with the reason for a wait, or nil.
func taskDoes(t *cluster.Task) (does string, weight int, why *stage.Record) {
	a := t.Latest()
	switch r := t.WaitingStage(); {
	case r != nil && r.Stage == stage.Held:
		return string(r.Stage), weightHeld, nil
	case r != nil:
		return string(r.Stage), weightWaiting, r
	case !runs(a):
		return strings.ToLower(t.State), weightPending, nil
	case a.Stage != nil:
		return string(a.Stage.Stage), weightRunning, nil
	}
	return strings.ToLower(a.State), weightRunning, nil
}
