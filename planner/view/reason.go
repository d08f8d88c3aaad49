// SPDX-License-Identifier: MPL-2.0

package view

import (
	"fmt"
	"strings"

	"github.com/openpai/terraform-provider-openpai/planner"
)

// Reason returns the reason for a change as a clause, such as "not on the
// cluster yet".
func Reason(r planner.Reason) string {
	switch {
	case r.RepeatOf == 0 || r.Code == planner.ReasonRepeats:
		return reason(r)
	case r.Code == planner.ReasonRerun:
		return fmt.Sprintf("repeats run %d", r.RepeatOf)
	}
	return fmt.Sprintf("%s, repeats run %d", reason(r), r.RepeatOf)
}

func reason(r planner.Reason) string {
	switch r.Code {
	case planner.ReasonAbsent:
		return "not on the cluster yet"
	case planner.ReasonNotCompared:
		return "offline: not compared with the cluster"
	case planner.ReasonVanished:
		return "gone, last seen " + lastSeen(r.Live.State)
	case planner.ReasonUnstarted:
		return "an interrupted apply did not start the job"
	case planner.ReasonBeginAgain:
		return "an interrupted apply sent different content"
	case planner.ReasonRerun:
		return "rerun requested"
	case planner.ReasonContent:
		return content(r.Changed)
	case planner.ReasonRerunChanged:
		return outcome(r.Live) + ", and " + content(r.Changed) + ` (rerun = "on_change")`
	case planner.ReasonNotDeclared:
		return "no longer declared"
	case planner.ReasonOtherCluster:
		return "now declared on the cluster " + r.Cluster
	case planner.ReasonDestroy:
		return "destroy requested"
	}
	if clause, ok := foreignReasons[r.Code]; ok {
		return clause
	}
	if clause, ok := updateReason(r); ok {
		return clause
	}
	return noOpReason(r)
}

// foreignReasons contains the reasons that occur only in Terraform plans.
var foreignReasons = map[planner.ReasonCode]string{
	planner.ReasonTainted:   "tainted: an earlier apply failed",
	planner.ReasonRequested: "replacement requested",
	planner.ReasonTriggered: "something in replace_triggered_by changes",
	planner.ReasonForgotten: "removed only from the state; the job remains",
	planner.ReasonSetting:   "only the resource changes, not the job",
}

func updateReason(r planner.Reason) (clause string, ok bool) {
	switch r.Code {
	case planner.ReasonMoved:
		return "moved from " + r.From.String(), true
	case planner.ReasonMovedAndChanged:
		return "moved from " + r.From.String() + ", and changed in place", true
	case planner.ReasonUnsupervised:
		return "its supervisor is not running; apply starts a new one", true
	case planner.ReasonDrift:
		return "changed outside openpai; reverted", true
	case planner.ReasonRemark:
		return "changed only in comments or in settings that do not affect tasks", true
	case planner.ReasonInPlace:
		return "changed in place", true
	}
	return "", false
}

func noOpReason(r planner.Reason) string {
	switch {
	case r.Code == planner.ReasonUpToDate && r.Live.State == planner.StateStopping:
		return state(r.Live)
	case r.Code == planner.ReasonUpToDate:
		return state(r.Live) + ", up to date"
	case r.Code == planner.ReasonElsewhere:
		return declaredBy(r)
	case r.Code == planner.ReasonRepeats:
		return fmt.Sprintf("run %d repeats run %d and differs from the files", r.Run, r.RepeatOf)
	case r.Code == planner.ReasonUnreadable:
		return clean(r.File) + " cannot be read; repair quarantines the job's files"
	case r.Code == planner.ReasonNotComparable:
		return state(r.Live) + ", cannot be compared"
	case r.Code == planner.ReasonFinished && r.Live.State == planner.StateSucceeded:
		return "already succeeded"
	case r.Code == planner.ReasonFinished:
		return outcome(r.Live)
	case r.Code == planner.ReasonOutdated:
		return "outdated: " + outcome(r.Live) + ", and " + content(r.Changed) + " since"
	}
	panic("planner/view: unknown reason " + string(r.Code))
}

// declaredBy describes the front end that declares a job. Only the user of a
// job can adopt the job, because the user never changes.
func declaredBy(r planner.Reason) string {
	clause := "declared by " + Declarer(r.DeclaredBy)
	if r.Changed.Any() {
		clause += " with different content"
	}
	if r.User != "" {
		clause += fmt.Sprintf(" for the user %q; only that user can adopt it", r.User)
	}
	return clause
}

// notRunAgain reports whether apply does not rerun an ended job, although the
// job did not succeed or is outdated.
func notRunAgain(r planner.Reason) bool {
	return r.Code == planner.ReasonOutdated || r.Code == planner.ReasonFinished && r.Live.State != planner.StateSucceeded
}

func content(c planner.Content) string {
	var parts []string
	switch {
	case c.Declaration && c.Secret:
		parts = append(parts, "the declaration and a secret changed")
	case c.Secret:
		parts = append(parts, "a secret changed")
	case c.Declaration:
		parts = append(parts, "the declaration changed")
	}
	switch c.Scheduler {
	case planner.SchedulerToHived:
		parts = append(parts, "the scheduler changed to HiveD")
	case planner.SchedulerFromHived:
		parts = append(parts, "the scheduler changed from HiveD")
	}
	return strings.Join(parts, ", and ")
}

// state describes the state of a job, for use in a sentence.
func state(live planner.LiveState) string {
	switch {
	case live.Finished:
		return outcome(live)
	case live.State == planner.StateUnknown || live.State == "":
		return "in an unknown state"
	}
	return strings.ToLower(string(live.State))
}

// lastSeen returns the last known state of a job that no longer exists.
func lastSeen(s planner.JobState) string {
	if s == planner.StateAbsent || s == "" {
		return "before it started"
	}
	return strings.ToLower(string(s))
}

// outcome returns the outcome of a job as a predicate, such as "failed with
// exit code 1".
func outcome(live planner.LiveState) string {
	switch live.State {
	case planner.StateSucceeded:
		return "succeeded"
	case planner.StateStopped:
		return "stopped"
	case planner.StateFailed:
		if live.ExitCode != nil {
			return fmt.Sprintf("failed with exit code %d", *live.ExitCode)
		}
		return "failed"
	}
	return "ended with an unknown outcome"
}
