package planner

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// lost says what running work ends when a job is deleted, or deleted and
// created again; "" when there is none.
func lost(live *LiveJob, again bool) string {
	switch {
	case !live.Present && finished(live):
		return "nothing runs; its record goes"
	case !live.Present || finished(live) || live.Unstarted:
		return ""
	case live.RunningTasks > 0:
		return count(live.RunningTasks, "running task ends", "running tasks end")
	case live.State == StateWaiting && again:
		return "no task runs yet; the job waits anew"
	case live.State == StateWaiting:
		return "no task runs yet; the job never starts"
	}
	return ""
}

// rescaled says which tasks come and go when task counts change in place.
func rescaled(c *Change, live *LiveJob) string {
	var parts []string
	for _, f := range c.Fields {
		if !isInstances(f.Path) {
			continue
		}
		role, _ := elementKey(string(f.Path), "task_role")
		before, okBefore := number(f.Before)
		after, okAfter := number(f.After)
		switch {
		case !okBefore || !okAfter:
			parts = append(parts, "the number of tasks of "+role+" changes")
		case after < before:
			parts = append(parts, count(before-after, "task", "tasks")+" of "+role+" "+plural(before-after, "ends", "end"))
		default:
			parts = append(parts, count(after-before, "task", "tasks")+" of "+role+" "+plural(after-before, "is", "are")+" added")
		}
	}
	if len(parts) == 0 || live.RunningTasks == 0 {
		return strings.Join(parts, ", ")
	}
	return strings.Join(parts, ", ") + "; the others go on"
}

func number(value any) (int, bool) {
	n, ok := value.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := strconv.Atoi(n.String())
	return i, err == nil
}

func count(n int, one, many string) string { return fmt.Sprintf("%d %s", n, plural(n, one, many)) }

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
