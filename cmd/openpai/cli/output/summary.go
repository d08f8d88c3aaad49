package output

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/internal/quantity"
	"github.com/openpai/terraform-provider-openpai/planner"
	"github.com/openpai/terraform-provider-openpai/planner/view"
)

// Summary is a job in one line.
type Summary struct {
	*cluster.Status
	// On is the name of its cluster, "" when it has none.
	On string
	// GPUs are those of all tasks, or [UnknownGPUs].
	GPUs int
}

// UnknownGPUs stands for the GPUs of a job that is not known as it was applied.
const UnknownGPUs = -1

// tasks counts the tasks of a job, and those that are finished.
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

// age is the time since a job was created, "-" for one that was not.
func (s Summary) age(now time.Time) string {
	if s.Created.IsZero() {
		return "-"
	}
	return shortDuration(now.Sub(s.Created))
}

// shortDuration is a duration in its largest unit.
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

func (s Summary) row(wide bool, now time.Time) []string {
	done, all := s.tasks()
	gpus := "-"
	if s.GPUs >= 0 {
		gpus = fmt.Sprint(s.GPUs)
	}
	row := []string{strings.TrimPrefix(s.Address, "job."), string(s.State), fmt.Sprintf("%d/%d", done, all), s.age(now), gpus}
	if !wide {
		return row
	}
	took := "-"
	if s.Launched != nil {
		until := now
		if s.Completed != nil {
			until = *s.Completed
		}
		took = duration(until.Sub(*s.Launched))
	}
	outcome := "-"
	if s.State == planner.StateFailed {
		outcome = cmp.Or(exitWords(s.UserCode, s.ExitCode, s.Phrase), "-")
	}
	return append(row, cmp.Or(s.On, "-"), fmt.Sprint(s.Attempt+1), clock(s.Launched, now), took, outcome)
}

// Summaries prints one line per job in natural order, the totals, and why jobs
// failed.
func Summaries(out io.Writer, all []Summary, wide bool, now time.Time) {
	head := []string{"NAME", "STATE", "TASKS", "AGE", "GPUS"}
	if wide {
		head = append(head, "CLUSTER", "ATTEMPT", "STARTED", "TIME", "OUTCOME")
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b Summary) int { return view.CompareNatural(a.Address, b.Address) })
	rows := [][]string{head}
	for _, one := range all {
		rows = append(rows, one.row(wide, now))
	}
	Table(out, rows)
	fmt.Fprintf(out, "\n%s\n", Totals(all))
	Causes(out, all)
}

// Totals counts jobs by state, finished ones first, and the GPUs of those that
// run.
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
