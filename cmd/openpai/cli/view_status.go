package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/openpai/terraform-provider-openpai/internal/cluster"
	"github.com/openpai/terraform-provider-openpai/planner"
)

// showStatus prints one job: a line for the job, a table of tasks and
// attempts, and what is known of failures.
func showStatus(s *Streams, st *cluster.Status) {
	fmt.Fprintf(s.out, "%s  %s%s\n", st.Address, s.paint(stateColor(st.State), string(st.State)), jobRemark(st))
	for _, note := range st.Notes {
		fmt.Fprintf(s.out, "  note: %s\n", note)
	}
	if len(st.TaskRoles) > 0 {
		fmt.Fprintln(s.out)
		showTasks(s.out, st)
	}
	showFailures(s.out, st)
}

// jobRemark says in a few words what is worth knowing of a job.
func jobRemark(st *cluster.Status) string {
	var parts []string
	if st.Retries > 0 {
		parts = append(parts, fmt.Sprintf("attempt %d", st.Attempt+1))
	}
	if st.State == planner.StateFailed || st.State == planner.StateStopped {
		parts = append(parts, exitWords(st.UserCode, st.ExitCode, st.Phrase))
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

// exitWords names the code that run returns and what the specification calls
// it.
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

func showTasks(out io.Writer, st *cluster.Status) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  TASK\tATTEMPT\tSTATE\tSTARTED\tTIME\tEXIT")
	for _, role := range st.TaskRoles {
		for _, task := range role.Tasks {
			name := fmt.Sprintf("%s[%d]", role.Name, task.Index)
			if len(task.Attempts) == 0 {
				fmt.Fprintf(w, "  %s\t-\t%s\t-\t-\t-\n", name, task.State)
			}
			for n, a := range task.Attempts {
				fmt.Fprintf(w, "  %s\t%d\t%s\t%s\t%s\t%s\n", name, n+1, attemptState(a), clock(a.Started), elapsed(a), exitCell(a))
			}
		}
	}
	_ = w.Flush()
}

func attemptState(a cluster.TaskAttempt) string {
	if a.Waiting != "" {
		return a.State + " (" + a.Waiting + ")"
	}
	return a.State
}

func clock(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.Local().Format("15:04:05")
}

func elapsed(a cluster.TaskAttempt) string {
	if a.Started == nil || a.Finished == nil {
		return "-"
	}
	return duration(a.Finished.Sub(*a.Started))
}

func exitCell(a cluster.TaskAttempt) string {
	if a.Exit == nil {
		return "-"
	}
	return fmt.Sprintf("%d %s", a.Exit.UserCode, a.Exit.Phrase)
}

// duration rounds to what a person wants to know.
func duration(d time.Duration) string {
	switch {
	case d < 10*time.Second:
		return d.Round(10 * time.Millisecond).String()
	default:
		return d.Round(time.Second).String()
	}
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
