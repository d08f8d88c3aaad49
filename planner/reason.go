package planner

import (
	"fmt"
	"strings"
)

// finished reports whether a job ended, with an outcome that was seen or not.
func finished(live *LiveJob) bool {
	return live.State.Finished() || (!live.Present && live.State == StateUnknown)
}

// state names the live state in a sentence.
func state(live *LiveJob) string {
	switch {
	case finished(live):
		return outcome(live)
	case live.State == StateUnknown || live.State == "":
		return "in an unknown state"
	}
	return strings.ToLower(string(live.State))
}

// lastSeen names the state of a job that vanished.
func lastSeen(live *LiveJob) string {
	if live.State == StateAbsent || live.State == "" {
		return "before it started"
	}
	return strings.ToLower(string(live.State))
}

// outcome tells how a job ended.
func outcome(live *LiveJob) string {
	switch live.State {
	case StateSucceeded:
		return "succeeded"
	case StateStopped:
		return "stopped"
	case StateFailed:
		if live.ExitCode != nil {
			return fmt.Sprintf("failed with exit code %d", *live.ExitCode)
		}
		return "failed"
	}
	return "ended with an unknown outcome"
}

func upToDate(live *LiveJob) string {
	if live.State == StateStopping {
		return ""
	}
	return ", up to date"
}

// finishedReason says why a job that ended is left alone.
func finishedReason(c *Change, live *LiveJob, content string) string {
	switch {
	case content != "":
		return fmt.Sprintf("outdated: %s, and %s since; not run again (use --rerun %s)", outcome(live), content, c.Address)
	case live.State == StateSucceeded:
		return "already succeeded"
	}
	return fmt.Sprintf("%s; not run again (use --rerun %s)", outcome(live), c.Address)
}

func updateReason(c *Change) string {
	switch {
	case c.MovedFrom != "" && contentChange(c) == "":
		return "moved from " + c.MovedFrom.String()
	case len(c.Drift) > 0 && contentChange(c) == "" && c.MovedFrom == "":
		return "changed by somebody else; put back"
	case c.MovedFrom != "":
		return "moved from " + c.MovedFrom.String() + ", and changed in place"
	case contentChange(c) == "":
		return "a remark or setting changed that no task depends on"
	}
	return "changed in place"
}
